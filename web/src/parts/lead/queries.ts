// What the lead page asks for, besides the lead itself.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Reply } from '../../api/call.ts'
import { listLeads } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { isOpen } from '../../pipeline/statuses.ts'

export type Note = Reply<'POST /notes/list'>[number]

const most = 200

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: ['lead', id, 'notes'],
    queryFn: ({ signal }) =>
      call('POST /notes/list', { signal, body: { id_lead: id, pagination: { page_size: most } } }),
  })

export const remindersQuery = (id: string) =>
  queryOptions({
    queryKey: ['lead', id, 'reminders'],
    queryFn: async ({ signal }) =>
      (
        await call('POST /reminders/list', {
          signal,
          body: { filter: { id_lead: id }, pagination: { page_size: most } },
        })
      ).data,
  })

/** Those that are not done, the next one first. */
export const openReminders = (reminders: readonly Reminder[]) =>
  reminders.filter(({ is_done }) => !is_done).sort((a, b) => a.date.localeCompare(b.date))

/** The changes of a lead, newest first, page by page. */
export const eventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['lead', id, 'events'],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: String(most), ...(pageParam && { after: pageParam }) }
      return call('GET /lead/{id}/events', { id, signal, query })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** The people of a company. The search finds them by an index; the condition leaves out those who only mention it. */
export const peopleOf = (company: string): LeadFilter => ({
  search: company,
  is_company: false,
  fields: [{ field: 'company', operator: 'is', value: company.trim() }],
})

/** Those of them with an open stage. */
export const openPeopleOf = (company: string, { status }: Records): LeadFilter => ({
  ...peopleOf(company),
  status: status.filter(isOpen).map(({ id }) => id),
})

/** The lead of the company with this name. */
export const companyQuery = (company: string) =>
  queryOptions({
    queryKey: ['leads', 'company', company],
    queryFn: async ({ signal }) => {
      const filter = { ...peopleOf(company), is_company: true }
      const { leads } = await listLeads({ filter, pagination: { page_size: 1 } }, signal)
      return leads[0] ?? null
    },
  })

/** The most recently contacted one comes first. */
export const peopleQuery = (company: string) =>
  queryOptions({
    queryKey: ['leads', 'people', company],
    queryFn: ({ signal }) =>
      listLeads(
        {
          filter: peopleOf(company),
          orderBy: [{ field: 'last_interaction_at', type: 'desc' }],
          pagination: { page_size: most },
        },
        signal,
      ),
  })

// What the lead page asks for, besides the lead itself.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Reply } from '../../api/call.ts'
import { listLeads } from '../../api/lead.ts'
import type { Reminder } from '../../api/reminders.ts'

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

const sameCompany = (a: string | null, b: string) =>
  a?.trim().toLowerCase() === b.trim().toLowerCase()

/** The lead of the company with this name. */
export const companyQuery = (company: string) =>
  queryOptions({
    queryKey: ['leads', 'company', company],
    queryFn: async ({ signal }) => {
      const filter = { search: company, is_company: true }
      const { leads } = await listLeads({ filter, pagination: { page_size: 20 } }, signal)
      return leads.find((lead) => sameCompany(lead.company, company)) ?? null
    },
  })

export const peopleQuery = (company: string) =>
  queryOptions({
    queryKey: ['leads', 'people', company],
    queryFn: async ({ signal }) => {
      const filter = { search: company, is_company: false }
      const { leads } = await listLeads({ filter, pagination: { page_size: most } }, signal)
      return leads.filter((lead) => sameCompany(lead.company, company))
    },
  })

// Leads in the cache: pages of the grid and single leads.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { client } from './client.ts'
import { type Lead, type LeadPage, listLeads } from './lead.ts'
import { type LeadsQuery, readPage } from './lead-pages.ts'
import { historyLagMs } from './meanwhile.ts'
import { namedFilter, nameFirst } from './name-first.ts'

/** Long scrolls must not keep everything they passed. */
const keptMs = 15_000

export function pageQuery({ filter, order }: LeadsQuery, page: number) {
  return queryOptions({
    queryKey: ['leads', 'page', filter, order, page],
    queryFn: ({ signal }) => readPage({ filter, order }, page, signal),
    gcTime: keptMs,
  })
}

/** How many leads match, exactly. */
export function countQuery(filter: LeadFilter) {
  return queryOptions({
    queryKey: ['leads', 'count', filter],
    queryFn: async ({ signal }) =>
      (
        await call('POST /leads/list', {
          signal,
          body: { filter, id_only: true, pagination: { page_size: 1 } },
        })
      ).total,
  })
}

/** A shorter text is not looked up in the index. */
const shortestName = 3

export function searchQuery(text: string, limit: number) {
  return queryOptions({
    queryKey: ['leads', 'search', text, limit],
    queryFn: async ({ signal }) => {
      const find = async (filter: LeadFilter) =>
        (await listLeads({ filter, pagination: { page_size: limit } }, signal)).leads
      const newest = await find({ search: text })
      if (newest.length < limit || text.length < shortestName) return nameFirst(newest, text)
      // There may be more, and those who are called like this among them.
      const named = await find(namedFilter(text))
      const others = newest.filter(({ id }) => !named.some((lead) => lead.id === id))
      return nameFirst([...named, ...others], text).slice(0, limit)
    },
    gcTime: keptMs,
  })
}

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['lead', id],
    queryFn: ({ signal }) => call('GET /lead/{id}', { id, signal }),
  })
}

/** Replaces a lead wherever it is shown. */
export function putLead(id: string, update: (lead: Lead) => Lead): void {
  client.setQueryData<Lead>(['lead', id], (lead) => lead && update(lead))
  client.setQueriesData<LeadPage>({ queryKey: ['leads', 'page'] }, (page) => {
    if (!page?.leads.some((lead) => lead.id === id)) return page
    return { ...page, leads: page.leads.map((lead) => (lead.id === id ? update(lead) : lead)) }
  })
}

/** After a bulk change, or a change in which leads match. */
export function refreshLeads(): void {
  void client.invalidateQueries({ queryKey: ['leads'] })
  void client.invalidateQueries({ queryKey: ['lead'] })
  // The history has an event a moment after the change.
  setTimeout(() => {
    void client.invalidateQueries({ queryKey: ['changes'] })
    void client.invalidateQueries({
      predicate: ({ queryKey: [first, , part] }) => first === 'lead' && part === 'events',
    })
  }, historyLagMs)
}

// Leads that were deleted and can be restored.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** The last deleted first, page by page. */
export const deletedLeadsQuery = (filter: LeadFilter) =>
  infiniteQueryOptions({
    queryKey: ['leads', 'deleted', filter],
    queryFn: ({ signal, pageParam }) =>
      call('POST /leads/deleted', {
        signal,
        body: { filter, ...(pageParam && { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** One of them; null if there is no such lead, deleted or not. */
export const deletedLeadQuery = (id: string) =>
  queryOptions({
    queryKey: ['lead', id, 'deleted'],
    queryFn: async ({ signal }) => {
      const { leads } = await call('POST /leads/deleted', {
        signal,
        body: { filter: { leads: [id] } },
      })
      return leads[0] ?? null
    },
  })

/** How many days deleted leads are kept; null: for ever. */
export const keptDaysQuery = queryOptions({
  queryKey: ['kept-days'],
  queryFn: async ({ signal }) =>
    (await call('POST /leads/deleted', { signal, body: { filter: { leads: [] } } })).kept_days,
})

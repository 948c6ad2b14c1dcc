// Leads that look like the same person or company.
import type { KeyKind } from '@rapport/contract/duplicates.values'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'

export type Counts = Reply<'GET /duplicates/counts'>
export type Group = Reply<'GET /duplicates'>['groups'][number]

/** Groups, page by page. */
export const duplicatesQuery = (kind: KeyKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['leads', 'duplicates', kind],
    queryFn: ({ signal, pageParam }) =>
      call('GET /duplicates', {
        signal,
        query: { ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** What more than a few leads have in common: info@, a switchboard. */
export const largeGroupsQuery = infiniteQueryOptions({
  queryKey: ['leads', 'duplicates', 'large'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /duplicates', {
      signal,
      query: { large: 'true', ...(pageParam && { cursor: pageParam }) },
    }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})

const countMs = 5 * 60_000
/** While leads are still being compared. */
const buildingMs = 5_000

/** How many there are of each kind. Counting takes a while, so that not every change of a lead asks for it again. */
export const duplicateCountsQuery = queryOptions({
  queryKey: ['duplicates', 'counts'],
  queryFn: ({ signal }) => call('GET /duplicates/counts', { signal }),
  staleTime: countMs,
  refetchInterval: ({ state }) => (state.data?.building ? buildingMs : countMs),
})

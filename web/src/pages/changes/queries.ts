// What the page of recent changes asks for.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ChangesState, ShownPeriod } from '../../addresses/changes.ts'
import { call, type Reply } from '../../api/call.ts'
import { listLeads } from '../../api/lead.ts'

export type Change = Reply<'GET /changes'>['changes'][number]
export type Summary = Reply<'GET /changes/summary'>

const periodOf = (period: ShownPeriod) => (period === 'all' ? {} : { period })

export const changesQuery = ({ period, member, kind }: ChangesState) =>
  infiniteQueryOptions({
    queryKey: ['changes', 'list', period, member, kind],
    queryFn: ({ signal, pageParam }) =>
      call('GET /changes', {
        signal,
        query: {
          ...periodOf(period),
          ...(member && { member }),
          ...(kind && { kind }),
          ...(pageParam && { after: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

export const summaryQuery = (period: ShownPeriod) =>
  queryOptions({
    queryKey: ['changes', 'summary', period],
    queryFn: ({ signal }) => call('GET /changes/summary', { signal, query: periodOf(period) }),
  })

const most = 1000

/** The leads of these changes as they are now: a change is undone only if it is still in force. */
export function changedLeadsQuery(changes: readonly Change[]) {
  const all = changes.flatMap(({ event, leads }) => (event ? leads.map(({ id }) => id) : []))
  const ids = [...new Set(all)].slice(0, most)
  return queryOptions({
    queryKey: ['leads', 'changed', ids],
    queryFn: async ({ signal }) => {
      const { leads } = await listLeads(
        { filter: { leads: ids }, pagination: { page_size: most } },
        signal,
      )
      return new Map(leads.map((lead) => [lead.id, lead]))
    },
    enabled: ids.length > 0,
    placeholderData: (old) => old,
  })
}

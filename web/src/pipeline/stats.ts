// Numbers and sums of leads by group, as the service counts them.
import { queryOptions } from '@tanstack/react-query'
import { type Body, call, type Reply } from '../api/call.ts'

export type Stats = Reply<'POST /leads/stats'>
export type StatsGroup = Stats['groups'][number]
export type Amount = StatsGroup['values'][number]

export function statsQuery(body: Body<'POST /leads/stats'>) {
  return queryOptions({
    queryKey: ['leads', 'stats', body],
    queryFn: ({ signal }) => call('POST /leads/stats', { signal, body }),
  })
}

export const groupOf = (stats: Stats | undefined, key: string | null) =>
  stats?.groups.find((group) => group.key === key)

// Who is signed in.
import { allows } from '@rapport/contract/roles'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { setZone } from '../ui/zone.ts'
import { call, type Reply } from './call.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await call('GET /me', { signal })
    setZone(me.time_zone)
    return me
  },
  staleTime: 5 * 60_000,
})

export type Me = Reply<'GET /me'>

/** The member, their workspace and what they may do. The shell renders pages only when it is known. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('Used outside of the signed-in part of the page')
  return data
}

export function useMayWrite(): boolean {
  return allows(useMe().key.role, 'write')
}

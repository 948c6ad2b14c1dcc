// The lists as board, overview and navigation show them: their colors and counts, and which one is shown when
// nobody has chosen.
import { colorAt } from '@rapport/contract/stages.values'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../api/call.ts'
import { type ListRecord, recordQueries } from '../api/records.ts'
import { useMe } from '../api/session.ts'

/** In place of the id of a list: the leads and statuses without one, and everything. */
export const noList = ''
export const allLists = 'all'

/** Its leads change with every lead. */
const countsQuery = queryOptions({
  queryKey: ['leads', 'lists'],
  queryFn: async ({ signal }) => {
    const counts = await call('GET /lists/counts', { signal })
    return new Map(counts.map(({ id, leads }) => [id, leads]))
  },
})

export const useListCounts = () => useQuery(countsQuery).data

/** A list without a color has the one of its place. */
export const colorOf = ({ id, color }: ListRecord, lists: readonly ListRecord[]) =>
  color || colorAt(lists.findIndex((list) => list.id === id))

export const titleOf = ({ name, emoji }: ListRecord) => `${emoji} ${name}`.trim()

const placeOf = (space: string) => `list ${space}`

/** The list that was shown last in this browser, or else the largest. Undefined until it is known. */
function useUsualList(): string | undefined {
  const { id_space } = useMe()
  const { data: lists } = useQuery(recordQueries.lists)
  const counts = useListCounts()
  if (!lists) return undefined
  const last = keptList(id_space)
  if (last === noList || lists.some(({ id }) => id === last)) return last
  if (!counts) return undefined
  const size = ({ id }: ListRecord) => counts.get(id) ?? 0
  return lists.toSorted((a, b) => size(b) - size(a))[0]?.id ?? noList
}

function keptList(space: string): string | undefined {
  try {
    return localStorage.getItem(placeOf(space)) ?? undefined
  } catch {
    // The browser keeps nothing for this page.
    return undefined
  }
}

/** Shows the usual list when the address names none, and keeps which one is shown. */
export function useShownList(
  list: string | undefined,
  show: (list: string) => void,
  isReady = true,
): void {
  const { id_space } = useMe()
  const usual = useUsualList()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list is shown
  useEffect(() => {
    if (list === undefined) {
      if (usual !== undefined && isReady) show(usual)
      return
    }
    if (list === allLists) return
    try {
      localStorage.setItem(placeOf(id_space), list)
    } catch {
      // It lasts until the page is left.
    }
  }, [list, usual, id_space, isReady])
}

// The state of the board is its address: view, list, filter, open lead, and the column that a phone shows.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { SavedView } from '../api/views.ts'
import { isSame, readFilter } from './leads.ts'

export interface BoardState {
  /** The id of a saved view. What the address says beyond it is a change that is not saved. */
  view: string | undefined
  /** "": the statuses without a list. Undefined: none is chosen yet. */
  list: string | undefined
  filter: LeadFilter
  lead: string | undefined
  column: string | undefined
}

type Definition = Pick<BoardState, 'list' | 'filter'>

const plain: Definition = { list: undefined, filter: {} }

/** Only what differs from the view (or from the plain board) is written out. */
function write({ view, list, filter, lead, column }: BoardState, base = plain): string {
  const search = new URLSearchParams()
  if (view) search.set('view', view)
  if (list !== undefined && list !== base.list) search.set('list', list)
  if (!isSame(filter, base.filter)) search.set('filter', JSON.stringify(filter))
  if (column) search.set('column', column)
  if (lead) search.set('lead', lead)
  return search.size > 0 ? `/board?${search}` : '/board'
}

export interface BoardAddress {
  state: BoardState
  href: (change: Partial<BoardState>) => string
  /** What the address would be without a view. */
  plainHref: string
  go: (change: Partial<BoardState>, how?: { replace?: boolean }) => void
  /** Shows the view without changes; without one, the plain board. */
  showView: (id: string | undefined) => void
  /** The address differs from the saved view. */
  isChanged: boolean
}

export function useBoardAddress(views: readonly SavedView[]): BoardAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { state, base } = useMemo(() => {
    const query = new URLSearchParams(search)
    const view = query.get('view') || undefined
    const base: Definition = views.find(({ id }) => id === view) ?? plain
    const filter = query.get('filter')
    const list = query.get('list')
    return {
      base,
      state: {
        view,
        list: list ?? base.list,
        filter: filter === null ? base.filter : readFilter(filter),
        lead: query.get('lead') || undefined,
        column: query.get('column') || undefined,
      },
    }
  }, [search, views])
  const href = useCallback(
    (change: Partial<BoardState>) => write({ ...state, ...change }, base),
    [state, base],
  )
  const go = useCallback<BoardAddress['go']>(
    (change, { replace = false } = {}) => navigate(href(change), { replace }),
    [href, navigate],
  )
  const { lead } = state
  const showView = useCallback(
    (view: string | undefined) => navigate(write({ ...plain, view, lead, column: undefined })),
    [lead, navigate],
  )
  // Which list is shown without a view is no change.
  const isOtherList = base.list !== undefined && state.list !== base.list
  const isChanged = isOtherList || !isSame(state.filter, base.filter)
  const plainHref = write({ ...state, view: undefined, lead: undefined, column: undefined })
  return { state, href, plainHref, go, showView, isChanged }
}

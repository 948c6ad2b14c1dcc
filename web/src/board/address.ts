// The state of the board is its address: list, filter, open lead, and the column that a phone shows.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { readFilter } from '../leads/address.ts'

export interface BoardState {
  /** Undefined: the statuses of the whole workspace. */
  list: string | undefined
  filter: LeadFilter
  lead: string | undefined
  column: string | undefined
}

function write({ list, filter, lead, column }: BoardState): string {
  const search = new URLSearchParams()
  if (list) search.set('list', list)
  if (Object.keys(filter).length > 0) search.set('filter', JSON.stringify(filter))
  if (column) search.set('column', column)
  if (lead) search.set('lead', lead)
  return search.size > 0 ? `/board?${search}` : '/board'
}

export interface BoardAddress {
  state: BoardState
  href: (change: Partial<BoardState>) => string
  go: (change: Partial<BoardState>, how?: { replace?: boolean }) => void
}

export function useBoardAddress(): BoardAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo<BoardState>(() => {
    const query = new URLSearchParams(search)
    const filter = query.get('filter')
    return {
      list: query.get('list') || undefined,
      filter: filter === null ? {} : readFilter(filter),
      lead: query.get('lead') || undefined,
      column: query.get('column') || undefined,
    }
  }, [search])
  const href = useCallback((change: Partial<BoardState>) => write({ ...state, ...change }), [state])
  const go = useCallback<BoardAddress['go']>(
    (change, { replace = false } = {}) => navigate(href(change), { replace }),
    [href, navigate],
  )
  return { state, href, go }
}

// The state of the overview is its address: list, date of the forecast, and what is a table.
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface OverviewState {
  /** "": the statuses without a list. "all": those of all lists. Undefined: none is chosen yet. */
  list: string | undefined
  /** The attribute that says when a deal is expected. */
  date: string | undefined
  /** The charts that are shown as tables. */
  tables: readonly string[]
}

export interface OverviewAddress {
  state: OverviewState
  go: (change: Partial<OverviewState>, how?: { replace?: boolean }) => void
}

export function useOverviewAddress(): OverviewAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo<OverviewState>(() => {
    const query = new URLSearchParams(search)
    return {
      list: query.get('list') ?? undefined,
      date: query.get('date') || undefined,
      tables: query.get('tables')?.split(',').filter(Boolean) ?? [],
    }
  }, [search])
  const go: OverviewAddress['go'] = (change, { replace = false } = {}) => {
    const { list, date, tables } = { ...state, ...change }
    const query = new URLSearchParams()
    if (list !== undefined) query.set('list', list)
    if (date) query.set('date', date)
    if (tables.length > 0) query.set('tables', tables.join(','))
    navigate(query.size > 0 ? `/overview?${query}` : '/overview', { replace })
  }
  return { state, go }
}

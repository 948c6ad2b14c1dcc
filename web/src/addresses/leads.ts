// The state of the leads page is its address: view, filter, order, columns, open lead. So Back and Forward
// work, and a link shows the same page to someone else.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Order } from '../api/lead-pages.ts'
import type { Column, SavedView } from '../api/views.ts'
import { defaultColumns, readColumns, writeColumns } from '../kinds/columns.ts'
import { isFilter } from '../kinds/conditions.ts'

export interface LeadsState {
  /** The id of a saved view. What the address says beyond it is a change that is not saved. */
  view: string | undefined
  filter: LeadFilter
  order: Order[]
  columns: Column[]
  /** The lead that is open next to the grid. */
  lead: string | undefined
}

type Definition = Pick<LeadsState, 'filter' | 'order' | 'columns'>

export const defaultOrder: Order[] = [{ field: 'created_at', type: 'desc' }]
const plain: Definition = { filter: {}, order: defaultOrder, columns: defaultColumns }

/** Only what differs from the view (or from the plain page) is written out. */
export function writeState(state: LeadsState, base: Definition = plain): string {
  const search = new URLSearchParams()
  if (state.view) search.set('view', state.view)
  if (!isSame(state.filter, base.filter)) search.set('filter', JSON.stringify(state.filter))
  if (!isSame(state.order, base.order)) search.set('order', writeOrder(state.order))
  if (writeColumns(state.columns) !== writeColumns(base.columns))
    search.set('columns', writeColumns(state.columns))
  if (state.lead) search.set('lead', state.lead)
  const text = search.toString()
  return text ? `?${text}` : ''
}

function writeOrder(order: readonly Order[]): string {
  return order.map(({ field, type }) => `${field}.${type}`).join(',')
}

function readOrder(text: string): Order[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [field = '', type] = part.split('.')
      return { field, type: type === 'asc' ? 'asc' : 'desc' }
    })
}

/** A filter that cannot be read selects nothing: reading less of it would select more leads than it meant. */
const unreadable: LeadFilter = { leads: [] }

export function readFilter(text: string): LeadFilter {
  try {
    const filter: unknown = JSON.parse(text)
    return isFilter(filter) ? filter : unreadable
  } catch {
    return unreadable
  }
}

/** The grid with the leads that a filter selects. */
export const leadsHref = (filter: LeadFilter) =>
  `/leads${writeState({ view: undefined, ...plain, filter, lead: undefined })}`

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export function definitionOf(view: SavedView | undefined): Definition {
  if (!view) return plain
  return {
    filter: view.filter,
    order: view.order.length > 0 ? view.order : defaultOrder,
    columns: view.columns.length > 0 ? view.columns : defaultColumns,
  }
}

/** A view that is gone, or private, selects nothing: without its filter it would select every lead. */
function baseOf(id: string | undefined, views: readonly SavedView[] | undefined): Definition {
  const view = views?.find((one) => one.id === id)
  return id && views && !view ? { ...plain, filter: unreadable } : definitionOf(view)
}

export interface LeadsAddress {
  state: LeadsState
  /** What the address would be with this changed. */
  href: (change: Partial<LeadsState>) => string
  go: (change: Partial<LeadsState>, how?: { replace?: boolean }) => void
  /** The address differs from the saved view. */
  isChanged: boolean
}

/** `views`: undefined while they are not known. */
export function useLeadsAddress(views: readonly SavedView[] | undefined): LeadsAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { state, base } = useMemo(() => {
    const query = new URLSearchParams(search)
    const view = query.get('view') ?? undefined
    const base = baseOf(view, views)
    const get = <T>(name: string, read: (text: string) => T, otherwise: T) => {
      const text = query.get(name)
      return text === null ? otherwise : read(text)
    }
    return {
      base,
      state: {
        view,
        filter: get('filter', readFilter, base.filter),
        order: get('order', readOrder, base.order),
        columns: get('columns', readColumns, base.columns),
        lead: query.get('lead') ?? undefined,
      },
    }
  }, [search, views])

  const href = useCallback(
    (change: Partial<LeadsState>) => {
      const next = { ...state, ...change }
      // Another view brings its own filter, order and columns.
      const isOther = 'view' in change && change.view !== state.view
      const nextBase = isOther ? baseOf(change.view, views) : base
      return `/leads${writeState(isOther ? { ...next, ...nextBase, ...change } : next, nextBase)}`
    },
    [state, base, views],
  )
  const go = useCallback<LeadsAddress['go']>(
    (change, { replace = false } = {}) => navigate(href(change), { replace }),
    [href, navigate],
  )
  const { filter, order, columns } = state
  const isChanged =
    !isSame(filter, base.filter) ||
    !isSame(order, base.order) ||
    writeColumns(columns) !== writeColumns(base.columns)
  return { state, href, go, isChanged }
}

// The state of the reports is their address: period or days, person, list, date of the forecast, and what is a table.
import type { Period } from '@rapport/contract/leads/field-operators.values'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export const reportPeriods = [
  ...(['this_week', 'last_week', 'this_month', 'last_month'] as const),
  ...(['this_quarter', 'last_quarter', 'this_year', 'last_year'] as const),
] satisfies Period[]
export type ReportPeriod = (typeof reportPeriods)[number]

export interface ReportsState {
  period: ReportPeriod
  /** The first and the last day, instead of a period. */
  from: string | undefined
  to: string | undefined
  /** The owner of the leads. */
  person: string | undefined
  /** "": the statuses without a list. Undefined: those of all lists. */
  list: string | undefined
  /** The attribute that says when a deal is expected. */
  date: string | undefined
  /** The charts that are shown as tables. */
  tables: readonly string[]
}

export interface ReportsAddress {
  state: ReportsState
  go: (change: Partial<ReportsState>, how?: { replace?: boolean }) => void
}

const usual: ReportPeriod = 'this_month'

function dayIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

export function useReportsAddress(): ReportsAddress {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo<ReportsState>(() => {
    const query = new URLSearchParams(search)
    const [from, to] = [dayIn(query, 'from'), dayIn(query, 'to')]
    return {
      ...(from && to && from <= to ? { from, to } : { from: undefined, to: undefined }),
      period: reportPeriods.find((name) => name === query.get('period')) ?? usual,
      person: query.get('person') || undefined,
      list: query.get('list') ?? undefined,
      date: query.get('date') || undefined,
      tables: query.get('tables')?.split(',').filter(Boolean) ?? [],
    }
  }, [search])
  const go: ReportsAddress['go'] = (change, { replace = false } = {}) => {
    const { period, from, to, person, list, date, tables } = { ...state, ...change }
    const query = new URLSearchParams()
    if (from && to) {
      query.set('from', from)
      query.set('to', to)
    } else if (period !== usual) query.set('period', period)
    if (person) query.set('person', person)
    if (list !== undefined) query.set('list', list)
    if (date) query.set('date', date)
    if (tables.length > 0) query.set('tables', tables.join(','))
    navigate(query.size > 0 ? `/reports?${query}` : '/reports', { replace })
  }
  return { state, go }
}

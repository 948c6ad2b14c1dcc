// The rows of each chart: a number, how it is written, and the leads behind it.

import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadsHref } from '../../addresses/leads.ts'
import type { Records, StatusRecord } from '../../api/records.ts'
import { noList, titleOf } from '../../pipeline/lists.ts'
import { addSums, groupOf, inSum, type Stats, type Sum } from '../../pipeline/stats.ts'
import { isOpen, statusesOf } from '../../pipeline/statuses.ts'
import { formatMoney, formatNumber, formatPlainDay, formatShortMoney } from '../../ui/format.ts'
import {
  addDays,
  addMonths,
  formatMonth,
  formatShortDay,
  formatShortMonth,
} from '../../ui/periods.ts'
import { words } from '../../words/index.ts'

export interface Row {
  id: string
  /** In the table; the chart has less room for it. */
  label: string
  short?: string
  value: number
  text: string
  /** At the bar. */
  shortText?: string
  /** What the table says besides. Without an address: of the same leads. */
  more?: { text: string; href?: string }[]
  /** Of money: only those leads that are in the sum. */
  href: string
  /** Its bar would make all others small. */
  isInTableOnly?: boolean
}

/** Leads and what they are worth together. */
export interface Counted {
  count: number
  sum: Sum
}

/** What a sum of money is besides: weighted, and how many leads there are, with a value or without one. */
const besides = (weighted: string, count: number, filter: LeadFilter): NonNullable<Row['more']> => [
  { text: weighted },
  { text: formatNumber(count), href: leadsHref(filter) },
]

/** What these groups have together. Groups that are not there have nothing. */
function together(stats: Stats, keys: readonly (string | null)[]): Counted {
  const groups = keys.flatMap((key) => groupOf(stats, key) ?? [])
  const { currency } = stats.total.sum
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    sum: { ...addSums(groups.map(({ sum }) => sum)), currency },
  }
}

/** A row of money: plain or weighted, with the other beside it. */
function moneyRow(
  named: Pick<Row, 'id' | 'label' | 'short'>,
  { count, sum }: Counted,
  filter: LeadFilter,
  which: 'value' | 'weighted' = 'value',
): Row {
  const value = sum[which]
  const other = sum[which === 'value' ? 'weighted' : 'value']
  return {
    ...named,
    value,
    text: formatMoney(value, sum.currency),
    shortText: which === 'weighted' && value === 0 ? '' : formatShortMoney(value, sum.currency),
    more: besides(formatMoney(other, sum.currency), count, filter),
    href: leadsHref(inSum(filter, sum)),
  }
}

export const valueRows = (stats: Stats, statuses: readonly StatusRecord[]): Row[] =>
  statuses
    .filter(isOpen)
    .map(({ id, name }) => moneyRow({ id, label: name }, together(stats, [id]), { status: [id] }))

/** What several stages have together. For stages of one list: a lead may have one in each of several lists. */
export const sumOf = (stats: Stats, statuses: readonly StatusRecord[]) =>
  together(
    stats,
    statuses.map(({ id }) => id),
  )

/** The open value of each list that has open stages. */
export function listRows(stats: Stats, { lists, status }: Records): Row[] {
  const pipelines = [
    ...lists.map((list) => ({ id: list.id, label: titleOf(list) })),
    { id: noList, label: words.pipeline.none },
  ]
  return pipelines.flatMap(({ id, label }): Row[] => {
    const open = statusesOf(status, id).filter(isOpen)
    if (open.length === 0) return []
    const filter = { status: open.map((stage) => stage.id) }
    return [moneyRow({ id: id || 'none', label }, sumOf(stats, open), filter)]
  })
}

/** Each stage with all leads that reached it or went further. Lost leads are in none. */
export function funnelRows(stats: Stats, statuses: readonly StatusRecord[]): Row[] {
  const way = statuses.filter(({ type }) => type !== 'DEAL_LOST')
  const count = (stages: readonly StatusRecord[]) =>
    stages.reduce((sum, { id }) => sum + (groupOf(stats, id)?.count ?? 0), 0)
  const all = count(way)
  const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
  return way.map(({ id, name }, at) => {
    const reached = way.slice(at)
    const value = count(reached)
    const share = percent.format(all === 0 ? 0 : value / all)
    return {
      id,
      label: name,
      value,
      text: formatNumber(value),
      shortText: `${formatNumber(value)} · ${share}`,
      more: [{ text: share }],
      href: leadsHref({ status: reached.map((status) => status.id) }),
    }
  })
}

/** Months from this one on; what was expected earlier is one row, and what has no date another. */
export function forecastRows(
  stats: Stats,
  open: readonly string[],
  attribute: string,
  thisMonth: string,
): Row[] {
  const status = [...open]
  const row = (
    id: string,
    label: string,
    short: string,
    attributes: NonNullable<LeadFilter['attributes']>,
    keys: (string | null)[],
  ): Row =>
    moneyRow({ id, label, short }, together(stats, keys), { status, attributes }, 'weighted')
  const known = stats.groups.flatMap(({ key }) => key ?? [])
  const earlier = known.filter((month) => month < thisMonth)
  const last = known.at(-1) ?? thisMonth
  const months = Array.from({ length: 12 }, (_, at) => addMonths(thisMonth, at)).filter(
    (month, at) => at < 6 || month <= last,
  )
  const from = (month: string) =>
    ({ id: attribute, operator: 'greater_or_equal', value: `${month}-01` }) as const
  const before = (month: string) =>
    ({ id: attribute, operator: 'less_than', value: `${month}-01` }) as const
  const later = known.filter((month) => month > (months.at(-1) ?? ''))
  const { overview } = words
  return [
    ...(earlier.length > 0
      ? [row('earlier', overview.earlier, overview.earlier, [before(thisMonth)], earlier)]
      : []),
    ...months.map((month) =>
      row(
        month,
        formatMonth(month),
        formatShortMonth(month),
        [from(month), before(addMonths(month, 1))],
        [month],
      ),
    ),
    ...(later.length > 0
      ? [row('later', overview.later, overview.later, [from(later[0] ?? '')], later)]
      : []),
    ...(groupOf(stats, null)
      ? [
          {
            ...row(
              'none',
              overview.noDate,
              overview.noDate,
              [{ id: attribute, operator: 'is_empty' }],
              [null],
            ),
            isInTableOnly: true,
          },
        ]
      : []),
  ]
}

export function addedRows(stats: Stats, base: LeadFilter, mondays: readonly string[]): Row[] {
  return mondays.map((monday) => {
    const value = groupOf(stats, monday)?.count ?? 0
    const filter = { ...base, created_after: monday, created_before: addDays(monday, 7) }
    return {
      id: monday,
      label: formatPlainDay(monday),
      short: formatShortDay(monday),
      value,
      text: formatNumber(value),
      shortText: value === 0 ? '' : formatNumber(value),
      href: leadsHref(filter),
    }
  })
}

export function activityRows(
  stats: Stats,
  base: LeadFilter,
  after: string,
  { members }: Records,
): Row[] {
  return stats.groups
    .filter(({ key }) => key !== null)
    .map(({ key, count }) => ({
      id: key ?? '',
      label: members.find(({ id }) => id === key)?.name ?? words.overview.former,
      value: count,
      text: formatNumber(count),
      href: leadsHref({ ...base, changed: { by: [key ?? ''], after } }),
    }))
    .toSorted((a, b) => b.value - a.value)
}

// The rows of each chart: a number, how it is written, and the leads behind it.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadsHref } from '../../addresses/leads.ts'
import type { Records, StatusRecord } from '../../api/records.ts'
import { noList, titleOf } from '../../pipeline/lists.ts'
import { type Amount, groupOf, type Stats } from '../../pipeline/stats.ts'
import { isOpen, statusesOf } from '../../pipeline/statuses.ts'
import { formatMoney, formatNumber, formatPlainDay, formatShortMoney } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { addDays, addMonths, formatMonth, formatShortDay, formatShortMonth } from './periods.ts'

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
  /** Of money: only those leads that have some, in its currency. */
  href: string
  /** Its bar would make all others small. */
  isInTableOnly?: boolean
}

export type Currency = string | null
export type Total = Stats['total']

const none: Amount = { currency: null, value: 0, weighted: 0 }

/** The leads whose values are in the sum of a currency. */
export function valuedHref(filter: LeadFilter, currency: Currency): string {
  const inCurrency = currency
    ? ({ field: 'contract_currency', operator: 'is', value: currency } as const)
    : ({ field: 'contract_currency', operator: 'is_empty' } as const)
  return leadsHref({
    ...filter,
    fields: [{ field: 'contract_value', operator: 'is_not_empty' }, inCurrency],
  })
}

/** What a sum of money is besides: weighted, and how many leads there are, with a value or without one. */
const besides = (weighted: string, count: number, filter: LeadFilter): NonNullable<Row['more']> => [
  { text: weighted },
  { text: formatNumber(count), href: leadsHref(filter) },
]

export const amountOf = (values: readonly Amount[], currency: Currency): Amount =>
  values.find((amount) => amount.currency === currency) ?? none

/** The currencies of these leads, the largest sum first. */
export const currenciesOf = (stats: Stats | undefined): Currency[] =>
  (stats?.total.values ?? [])
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .map(({ currency }) => currency)

export function valueRows(stats: Stats, statuses: readonly StatusRecord[], currency: Currency) {
  return statuses.filter(isOpen).map(({ id, name }): Row => {
    const group = groupOf(stats, id)
    const { value, weighted } = amountOf(group?.values ?? [], currency)
    return {
      id,
      label: name,
      value,
      text: formatMoney(value, currency),
      shortText: formatShortMoney(value, currency),
      more: besides(formatMoney(weighted, currency), group?.count ?? 0, { status: [id] }),
      href: valuedHref({ status: [id] }, currency),
    }
  })
}

/** What several stages have together. For stages of one list: a lead may have one in each of several lists. */
export function sumOf(stats: Stats, statuses: readonly StatusRecord[]): Total {
  const groups = statuses.flatMap(({ id }) => groupOf(stats, id) ?? [])
  const values = currenciesOf(stats).map((currency) => {
    const amounts = groups.map((group) => amountOf(group.values, currency))
    const add = (which: 'value' | 'weighted') =>
      amounts.reduce((sum, amount) => sum + amount[which], 0)
    return { currency, value: add('value'), weighted: add('weighted') }
  })
  return { count: groups.reduce((sum, { count }) => sum + count, 0), values }
}

/** The open value of each list that has open stages. */
export function listRows(stats: Stats, { lists, status }: Records, currency: Currency): Row[] {
  const pipelines = [
    ...lists.map((list) => ({ id: list.id, label: titleOf(list) })),
    { id: noList, label: words.pipeline.none },
  ]
  return pipelines.flatMap(({ id, label }): Row[] => {
    const open = statusesOf(status, id).filter(isOpen)
    if (open.length === 0) return []
    const { count, values } = sumOf(stats, open)
    const { value, weighted } = amountOf(values, currency)
    const filter = { status: open.map((stage) => stage.id) }
    return [
      {
        id: id || 'none',
        label,
        value,
        text: formatMoney(value, currency),
        shortText: formatShortMoney(value, currency),
        more: besides(formatMoney(weighted, currency), count, filter),
        href: valuedHref(filter, currency),
      },
    ]
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
  currency: Currency,
  thisMonth: string,
): Row[] {
  const status = [...open]
  const row = (
    id: string,
    label: string,
    short: string,
    attributes: NonNullable<LeadFilter['attributes']>,
    keys: (string | null)[],
  ): Row => {
    const groups = keys.map((key) => groupOf(stats, key))
    const total = (which: 'value' | 'weighted') =>
      groups.reduce((sum, group) => sum + amountOf(group?.values ?? [], currency)[which], 0)
    const value = total('weighted')
    const filter = { status, attributes }
    const count = groups.reduce((sum, group) => sum + (group?.count ?? 0), 0)
    return {
      id,
      label,
      short,
      value,
      text: formatMoney(value, currency),
      shortText: value === 0 ? '' : formatShortMoney(value, currency),
      more: besides(formatMoney(total('value'), currency), count, filter),
      href: valuedHref(filter, currency),
    }
  }
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

// The rows of a chart: a number, how it is written, and the leads behind it.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadsHref } from '../../addresses/leads.ts'
import type { StatusRecord } from '../../api/records.ts'
import { addSums, addValues, groupOf, inSum, type Stats, type Worth } from '../../pipeline/stats.ts'
import { formatNumber, formatShortMoney } from '../../ui/format.ts'
import { formatSum, sumText, withStar } from '../money/sum-text.ts'

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
}

/** Leads and what they are worth together. */
export interface Counted extends Worth {
  count: number
}

/** What a sum of money is besides: weighted, and how many leads there are, with a value or without one. */
const besides = (weighted: string, count: number, filter: LeadFilter): NonNullable<Row['more']> => [
  { text: weighted },
  { text: formatNumber(count), href: leadsHref(filter) },
]

/** What these groups have together. Groups that are not there have nothing. */
export function together(stats: Stats, keys: readonly (string | null)[]): Counted {
  const groups = keys.flatMap((key) => groupOf(stats, key) ?? [])
  const { currency } = stats.total.sum
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    values: addValues(groups.map(({ values }) => values)),
    sum: { ...addSums(groups.map(({ sum }) => sum)), currency },
  }
}

const exactly = (worth: Worth, which: 'value' | 'weighted') =>
  withStar(sumText(worth, which, formatSum, Number.POSITIVE_INFINITY), worth.sum)

/** The number of a row, exactly and at its bar. */
export const moneyTexts = (worth: Worth, which: 'value' | 'weighted' = 'value') => ({
  value: worth.sum[which],
  text: exactly(worth, which),
  shortText:
    which === 'weighted' && worth.sum.weighted === 0
      ? ''
      : withStar(sumText(worth, which, formatShortMoney), worth.sum),
})

/** A row of money: plain or weighted, with the other beside it. */
export function moneyRow(
  named: Pick<Row, 'id' | 'label' | 'short'>,
  total: Counted,
  filter: LeadFilter,
  which: 'value' | 'weighted' = 'value',
): Row {
  const { count, sum } = total
  return {
    ...named,
    ...moneyTexts(total, which),
    more: besides(exactly(total, which === 'value' ? 'weighted' : 'value'), count, filter),
    href: leadsHref(inSum(filter, sum)),
  }
}

/** What several stages have together. For stages of one list: a lead may have one in each of several lists. */
export const sumOf = (stats: Stats, statuses: readonly StatusRecord[]) =>
  together(
    stats,
    statuses.map(({ id }) => id),
  )

// How the value of leads is written, where there is room for one number.
import type { Worth } from '../../pipeline/stats.ts'
import { formatMoney } from '../../ui/format.ts'
import { words } from '../../words/index.ts'

type Format = (value: number, currency: string | null) => string

/** Exact to the cent: the share of a value may have any number of decimals. */
export const formatSum: Format = (value, currency) =>
  formatMoney(currency ? value : Math.round(value * 100) / 100, currency)

/** With a star if it leaves something out, where nothing else says so. */
export const withStar = (text: string, { count, left_out }: Worth['sum']): string =>
  count > 0 && left_out.length > 0 ? `${text}*` : text

/**
 * The sum. If no value has a rate, each currency for itself: that of most leads first, and only two where there is room
 * for no more.
 */
export function sumText(
  { values, sum }: Worth,
  which: 'value' | 'weighted' = 'value',
  format = formatSum,
  most = 2,
): string {
  const isNothing = sum.count === 0 && values.length > 0
  if (!isNothing) return format(sum[which], sum.currency)
  const texts = values
    .toSorted((a, b) => b.count - a.count)
    .map((one) => format(one[which], one.currency))
  const shown = texts.length > most ? [texts[0], words.money.more(texts.length - 1)] : texts
  return shown.join(' + ')
}

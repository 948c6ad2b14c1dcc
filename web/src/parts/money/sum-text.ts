// How the value of leads is written, where there is room for one number.
import type { Total } from '../../pipeline/stats.ts'
import { formatMoney } from '../../ui/format.ts'

type Format = (value: number, currency: string | null) => string

/** Exact to the cent: the share of a value may have any number of decimals. */
export const formatSum: Format = (value, currency) =>
  formatMoney(currency ? value : Math.round(value * 100) / 100, currency)

/** The sum, with a star if it leaves something out. If no value has a rate, each currency for itself. */
export function sumText(
  { values, sum }: Pick<Total, 'values' | 'sum'>,
  which: 'value' | 'weighted' = 'value',
  format = formatSum,
): string {
  const isNothing = sum.count === 0 && values.length > 0
  const text = (isNothing ? values : [sum])
    .map((one) => format(one[which], one.currency))
    .join(' + ')
  const isPart = which === 'value' && !isNothing && sum.left_out.length > 0
  return isPart ? `${text}*` : text
}

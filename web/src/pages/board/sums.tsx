// What the leads of a column are worth. A click shows each currency, exactly.
import type { Amount } from '../../pipeline/stats.ts'
import { formatMoney, formatShortMoney } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './sums.module.css'

interface Props {
  values: readonly Amount[]
  name: string
  /** Without one, there is nothing to weigh: won, lost, or no stage. */
  hasChance: boolean
}

export function Sums({ values, name, hasChance }: Props) {
  const sorted = values.toSorted((a, b) => b.value - a.value)
  const [largest] = sorted
  if (!largest) return null
  const { currency, value, weighted } = largest
  const { overview, board } = words
  return (
    <Popover
      label={board.value(name)}
      align="end"
      trigger={
        <button type="button" className={css.sums}>
          <span className={css.value}>
            {formatShortMoney(value, currency)}
            {values.length > 1 && ` ${words.filter.more(values.length - 1)}`}
          </span>
          {hasChance && <span>{board.weighted(formatShortMoney(weighted, currency))}</span>}
        </button>
      }
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{overview.currency}</th>
            <th scope="col">{overview.value}</th>
            {hasChance && <th scope="col">{overview.weighted}</th>}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ currency, value, weighted }) => (
            <tr key={currency}>
              <th scope="row">{currency ?? overview.noCurrency}</th>
              <td>{formatMoney(value, currency)}</td>
              {hasChance && <td>{formatMoney(weighted, currency)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Popover>
  )
}

// What leads are worth: one number. A click shows each currency, exactly, and what the number contains.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ReactElement } from 'react'
import type { Worth } from '../../pipeline/stats.ts'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import { hasNote, SumNote } from './sum-note.tsx'
import { formatSum } from './sum-text.ts'
import css from './sums.module.css'

interface Props {
  total: Worth
  /** The leads that are summed. */
  filter: LeadFilter
  label: string
  /** Without a chance there is nothing to weigh: won, lost, or no stage. */
  hasChance: boolean
  align?: 'start' | 'end'
  trigger: ReactElement<Record<string, unknown>>
}

export function Sums({ total, filter, label, hasChance, align = 'end', trigger }: Props) {
  const { values, sum } = total
  const { overview, money } = words
  const sorted = values.toSorted((a, b) => b.value - a.value)
  const isMixed = hasNote(sum)
  return (
    <Popover label={label} align={align} trigger={trigger}>
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
              <td>{formatSum(value, currency)}</td>
              {hasChance && <td>{formatSum(weighted, currency)}</td>}
            </tr>
          ))}
        </tbody>
        {isMixed && sum.count > 0 && (
          <tfoot>
            <tr>
              <th scope="row">{money.together}</th>
              <td>{formatSum(sum.value, sum.currency)}</td>
              {hasChance && <td>{formatSum(sum.weighted, sum.currency)}</td>}
            </tr>
          </tfoot>
        )}
      </table>
      {isMixed && (
        <div className={css.note}>
          <SumNote sum={sum} filter={filter} />
        </div>
      )}
    </Popover>
  )
}

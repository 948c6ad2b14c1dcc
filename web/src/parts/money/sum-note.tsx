// What a sum of money contains, and what it does not.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { leftOut, type Sum } from '../../pipeline/stats.ts'
import { words } from '../../words/index.ts'
import css from './sum-note.module.css'

/** It contains more, or less, than the values in its currency. */
export const hasNote = ({ converted, left_out }: Sum) => converted > 0 || left_out.length > 0

export function SumNote({
  sum: { converted, left_out },
  filter,
}: {
  sum: Sum
  filter: LeadFilter
}) {
  return (
    <ul className={css.note}>
      {converted > 0 && <li>{words.money.converted(converted)}</li>}
      {left_out.map(({ currency, count }) => (
        <li key={currency}>
          <Link href={leadsHref(leftOut(filter, currency))} className={css.link}>
            {words.money.leftOut(count, currency)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

// What a sum of money contains, and what it does not.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { leftOut, type Sum } from '../../pipeline/stats.ts'
import { words } from '../../words/index.ts'
import css from './sum-note.module.css'

/** It contains more, or less, than the values in its currency. */
export const hasNote = ({ converted, left_out }: Sum) => converted > 0 || left_out.length > 0

export function SumNote({ sum, filter }: { sum: Sum; filter: LeadFilter }) {
  const { converted, left_out } = sum
  const currencies = left_out.map(({ currency }) => currency)
  return (
    <div className="note">
      {converted > 0 && <div>{words.money.converted(converted)}</div>}
      {left_out.length > 0 && (
        <Link href={leadsHref(leftOut(filter, sum))} className={css.link}>
          {sum.count === 0
            ? words.money.noRate(currencies)
            : words.money.leftOut(
                left_out.reduce((all, { count }) => all + count, 0),
                currencies,
              )}
        </Link>
      )}
    </div>
  )
}

// The few numbers that people look at first.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { inSum } from '../../pipeline/stats.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { hasNote, SumNote } from '../money/sum-note.tsx'
import { sumText } from '../money/sum-text.ts'
import css from './charts.module.css'
import type { Counted } from './rows.ts'

export interface Tile {
  label: string
  text: string
  href: string
  note?: ReactNode
}

const unknown = '…'
const inWhole: typeof formatMoney = (value, currency) => formatMoney(Math.round(value), currency)

/** The money of these leads. `total` is undefined until it is known. */
export const moneyTile = (
  label: string,
  filter: LeadFilter,
  total: Counted | undefined,
  which: 'value' | 'weighted' = 'value',
): Tile => ({
  label,
  text: total ? sumText(total, which, inWhole) : unknown,
  href: leadsHref(inSum(filter, total?.sum)),
  note: total && hasNote(total.sum) && <SumNote sum={total.sum} filter={filter} />,
})

/** The number of these leads, or what `text` makes of it. */
export const countTile = (
  label: string,
  filter: LeadFilter,
  count: number | undefined,
  text: (count: number) => string = formatNumber,
): Tile => ({
  ...{ label, text: count === undefined ? unknown : text(count), href: leadsHref(filter) },
})

export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  if (tiles.length === 0) return null
  return (
    <ul className={css.tiles} aria-label={words.overview.numbers}>
      {tiles.map(({ label, text, href, note }) => (
        <li key={label}>
          <Link href={href} className={css.tile}>
            <span className="note">{label}</span>
            <span className={css.number}>{text}</span>
          </Link>
          {note && <div className={css.tileNote}>{note}</div>}
        </li>
      ))}
    </ul>
  )
}

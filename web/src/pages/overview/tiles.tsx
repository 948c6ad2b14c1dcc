// The few numbers that people look at first.
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { amountOf, type Currency, type Total } from './figures.ts'
import css from './overview.module.css'

/** Statuses, and what the leads in them have together, once it is known. */
export interface Part {
  status: string[]
  total: Total | undefined
}

interface Props {
  open: Part
  won: Part
  currency: Currency
}

export function Tiles({ open, won, currency }: Props) {
  const { overview } = words
  const tile = (label: string, { status, total }: Part, text: (total: Total) => string) => ({
    label,
    text: total ? text(total) : '…',
    href: leadsHref({ status }),
  })
  const money = (which: 'value' | 'weighted') => (total: Total) =>
    formatMoney(Math.round(amountOf(total.values, currency)[which]), currency)
  const ofOpen = [
    tile(overview.open, open, money('value')),
    tile(overview.openWeighted, open, money('weighted')),
    tile(overview.openLeads, open, ({ count }) => formatNumber(count)),
  ]
  // A filter without statuses would select every lead.
  const tiles = [
    ...(open.status.length > 0 ? ofOpen : []),
    ...(won.status.length > 0 ? [tile(overview.won, won, money('value'))] : []),
  ]
  if (tiles.length === 0) return null
  return (
    <ul className={css.tiles} aria-label={overview.numbers}>
      {tiles.map(({ label, text, href }) => (
        <li key={label}>
          <Link href={href} className={css.tile}>
            <span className={css.label}>{label}</span>
            <span className={css.number}>{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

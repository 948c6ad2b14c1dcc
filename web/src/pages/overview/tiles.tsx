// The few numbers that people look at first.
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import type { StatusRecord } from '../../api/records.ts'
import { groupOf, type Stats } from '../../pipeline/stats.ts'
import { isOpen } from '../../pipeline/statuses.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { amountOf, type Currency } from './figures.ts'
import css from './overview.module.css'

interface Props {
  stats: Stats | undefined
  statuses: readonly StatusRecord[]
  currency: Currency
}

export function Tiles({ stats, statuses, currency }: Props) {
  const open = statuses.filter(isOpen)
  const won = statuses.filter(({ type }) => type === 'DEAL_WON')
  const sum = (of: readonly StatusRecord[], read: (status: string) => number) =>
    of.reduce((total, { id }) => total + read(id), 0)
  const amount = (which: 'value' | 'weighted') => (id: string) =>
    amountOf(groupOf(stats, id)?.values ?? [], currency)[which]
  const count = (id: string) => groupOf(stats, id)?.count ?? 0
  const href = (of: readonly StatusRecord[]) => leadsHref({ status: of.map(({ id }) => id) })
  const { overview } = words
  const ofOpen = [
    {
      label: overview.open,
      text: formatMoney(sum(open, amount('value')), currency),
      href: href(open),
    },
    {
      label: overview.openWeighted,
      text: formatMoney(Math.round(sum(open, amount('weighted'))), currency),
      href: href(open),
    },
    { label: overview.openLeads, text: formatNumber(sum(open, count)), href: href(open) },
  ]
  const ofWon = [
    {
      label: overview.won,
      text: formatMoney(sum(won, amount('value')), currency),
      href: href(won),
    },
  ]
  // A filter without statuses would select every lead.
  const tiles = [...(open.length > 0 ? ofOpen : []), ...(won.length > 0 ? ofWon : [])]
  if (tiles.length === 0) return null
  return (
    <ul className={css.tiles} aria-label={overview.numbers}>
      {tiles.map(({ label, text, href }) => (
        <li key={label}>
          <Link href={href} className={css.tile}>
            <span className={css.label}>{label}</span>
            <span className={css.number}>{stats ? text : '…'}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

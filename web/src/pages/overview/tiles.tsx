// The few numbers that people look at first.
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { hasNote, SumNote } from '../../parts/money/sum-note.tsx'
import { inSum } from '../../pipeline/stats.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import type { Counted } from './figures.ts'
import css from './overview.module.css'

/** Statuses, and what the leads in them have together, once it is known. */
export interface Part {
  status: string[]
  total: Counted | undefined
}

interface Props {
  open: Part
  won: Part
}

const unknown = '…'

export function Tiles({ open, won }: Props) {
  const { overview } = words
  const money = (label: string, { status, total }: Part, which: 'value' | 'weighted') => ({
    label,
    text: total ? formatMoney(Math.round(total.sum[which]), total.sum.currency) : unknown,
    href: leadsHref(inSum({ status }, total?.sum ?? { left_out: [] })),
    note: total && hasNote(total.sum) && <SumNote sum={total.sum} filter={{ status }} />,
  })
  const ofOpen = [
    money(overview.open, open, 'value'),
    money(overview.openWeighted, open, 'weighted'),
    {
      label: overview.openLeads,
      text: open.total ? formatNumber(open.total.count) : unknown,
      href: leadsHref({ status: open.status }),
      note: undefined,
    },
  ]
  // A filter without statuses would select every lead.
  const tiles = [
    ...(open.status.length > 0 ? ofOpen : []),
    ...(won.status.length > 0 ? [money(overview.won, won, 'value')] : []),
  ]
  if (tiles.length === 0) return null
  return (
    <ul className={css.tiles} aria-label={overview.numbers}>
      {tiles.map(({ label, text, href, note }) => (
        <li key={label}>
          <Link href={href} className={css.tile}>
            <span className={css.label}>{label}</span>
            <span className={css.number}>{text}</span>
          </Link>
          {note && <div className={css.tileNote}>{note}</div>}
        </li>
      ))}
    </ul>
  )
}

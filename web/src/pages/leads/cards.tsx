// The leads on a phone: a card each, in the same window over all rows.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { Check } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import { wantedFirst } from '../../kinds/wanted-first.ts'
import { isSelected, type Selection, select } from '../../parts/bulk/selection.ts'
import type { Grid } from '../../parts/grid/grid.tsx'
import { useLeadRows } from '../../parts/grid/pages.ts'
import { useWindow } from '../../parts/grid/window.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { formatMoney } from '../../ui/format.ts'
import { Skeleton, Stage } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './cards.module.css'

const cardHeight = 59
/** How many are drawn until the real number is known. */
const waitingCards = 12

export default function Cards({
  ref,
  query,
  onOpen,
  onFollow,
  openLead,
  selection,
  onSelection,
  onRows,
}: Parameters<typeof Grid>[0]) {
  const scroller = useRef<HTMLDivElement>(null)
  const [known, setKnown] = useState<number>()
  const count = known ?? 0
  const current = useRef(0)
  const view = useWindow({
    scroller,
    count: known ?? waitingCards,
    rowHeight: cardHeight,
    headerHeight: 0,
  })
  const { first, end, base } = view.view
  const { total, leadAt, isSlow, error, retry } = useLeadRows(query, first, end)
  if (total !== undefined && total !== known) setKnown(total)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is new each time and says nothing
  useEffect(() => {
    onRows({ total, isSlow, error, retry })
  }, [total, isSlow, error, onRows])
  const open = (row: number, how: typeof onOpen) => {
    const lead = leadAt(row)
    if (!lead) return
    current.current = row
    how(lead, row)
  }
  const toggle = (lead: Lead | undefined) => {
    if (lead) onSelection(select(selection, [lead.id], !isSelected(selection, lead.id)))
  }
  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus(),
    goTo: (row) => view.show(row, 'top'),
    step: (by) => {
      const row = Math.max(0, Math.min(count - 1, current.current + by))
      view.show(row)
      if (openLead) open(row, onFollow)
    },
    toggleCurrent: () => toggle(leadAt(current.current)),
  }))
  return (
    <div ref={scroller} className={css.scroller} onScroll={view.onScroll} tabIndex={-1}>
      <ul className={css.space} style={{ height: view.space }} aria-label={words.grid.label}>
        {Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at).map((row) => (
          <li
            key={row}
            className={css.item}
            style={{ top: base + row * cardHeight }}
            aria-setsize={known ?? -1}
            aria-hidden={leadAt(row) ? undefined : true}
            aria-posinset={row + 1}
          >
            <Card
              lead={leadAt(row)}
              filter={query.filter}
              selection={selection}
              onToggle={() => toggle(leadAt(row))}
              onOpen={() => open(row, onOpen)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface CardProps {
  lead: Lead | undefined
  filter: LeadFilter
  selection: Selection
  onToggle: () => void
  onOpen: () => void
}

/** A tap on the round sign selects the lead, one beside it opens it. */
function Card({ lead, filter, selection, onToggle, onOpen }: CardProps) {
  if (!lead) {
    return (
      <div className={css.card}>
        <span className={css.check}>
          <span className={css.round} />
        </span>
        <span className={css.body}>
          <Skeleton width="60%" />
          <Skeleton width="40%" />
        </span>
      </div>
    )
  }
  const name = nameOf(lead)
  const [status] = wantedFirst(lead.status, filter)
  const isOn = isSelected(selection, lead.id)
  return (
    <div className={css.card} data-selected={isOn || undefined}>
      <label className={css.check}>
        <input
          type="checkbox"
          aria-label={words.grid.select(name || words.leads.unnamed)}
          checked={isOn}
          onChange={onToggle}
        />
        {isOn ? (
          <span className={css.round}>
            <Check size={18} />
          </span>
        ) : (
          <Avatar name={name || '?'} isCompany={lead.is_company} size="m" />
        )}
      </label>
      <button type="button" className={css.open} onClick={onOpen}>
        <span className={css.body}>
          <span className="strong">{name || words.leads.unnamed}</span>
          <span className={css.sub}>
            {lead.is_company ? (lead.city ?? words.leads.company) : lead.company}
          </span>
        </span>
        <span className={css.right}>
          {status && <Stage name={status.name} color={status.color} />}
          {lead.contract_amount !== null && (
            <span className={css.sub}>
              {formatMoney(lead.contract_amount, lead.contract_currency)}
            </span>
          )}
        </span>
      </button>
    </div>
  )
}

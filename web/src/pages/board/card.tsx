// A card of the board: a link that opens the lead, and can be dragged.
import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { ArrowRightLeft } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/field.ts'
import { allFields } from '../../kinds/fields.ts'
import { Who } from '../../kinds/kinds.tsx'
import { Value } from '../../kinds/value.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { formatAgo, formatExact, formatMoney } from '../../ui/format.ts'
import { Skeleton } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './card.module.css'

/** A card with all three lines, and the gap below it. The style sheet says the same. */
export const cardHeight = 86
const lineHeight = 22

const placeOf = (lead: Lead) => (lead.is_company ? lead.city : lead.company)
const hasDeal = (lead: Lead) => Boolean(placeOf(lead)) || lead.contract_amount !== null
const hasTrace = (lead: Lead) => lead.tags.length > 0 || lead.last_interaction_at !== null

export const heightOf = (lead: Lead) =>
  cardHeight - (hasDeal(lead) ? 0 : lineHeight) - (hasTrace(lead) ? 0 : lineHeight)

const tagsField = allFields([]).find(({ id }) => id === 'tags') as Field
/** What is left for tags, without and with the time. */
const roomForTags = [225, 140] as const

export interface Dragged {
  lead: Lead
  status: string
  row: number
}

export const draggedCard = (data: Record<string | symbol, unknown>) =>
  data.card as Dragged | undefined

interface Props {
  lead: Lead
  status: string
  row: number
  count: number
  top: number
  href: string
  records: Records
  isOpen: boolean
  /** Tab reaches one card of each column; the arrow keys reach the others. */
  isTabStop: boolean
  mayWrite: boolean
  onFocus: (row: number) => void
  onMove: (dragged: Dragged) => void
  onDragging: (row: number | undefined) => void
}

export const Card = memo(function Card(props: Props) {
  const { lead, status, row, count, top, href, records, isOpen, isTabStop, mayWrite } = props
  const item = useRef<HTMLLIElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const element = item.current
    if (!element || !mayWrite) return
    return draggable({
      element,
      getInitialData: () => {
        const { lead, status, row } = latest.current
        return { card: { lead, status, row } satisfies Dragged }
      },
      onGenerateDragPreview: ({ nativeSetDragImage, location }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          // The pointer stays where it took the card.
          getOffset: () => {
            const { left, top } = element.getBoundingClientRect()
            const { clientX, clientY } = location.current.input
            return { x: clientX - left, y: clientY - top }
          },
          render: ({ container }) => lift(element, container),
        }),
      onDragStart: () => {
        setDragging(true)
        latest.current.onDragging(latest.current.row)
      },
      onDrop: () => {
        setDragging(false)
        latest.current.onDragging(undefined)
      },
    })
  }, [mayWrite])

  const name = nameOf(lead)
  const [owner] = lead.owners
  return (
    <li
      ref={item}
      className={css.item}
      style={{ top }}
      data-row={row}
      data-lead={lead.id}
      data-dragging={isDragging || undefined}
      aria-setsize={count}
      aria-posinset={row + 1}
    >
      <div className={css.card} data-open={isOpen || undefined}>
        <Link
          href={href}
          className={css.link}
          tabIndex={isTabStop ? 0 : -1}
          draggable={false}
          aria-current={isOpen || undefined}
          onFocus={() => props.onFocus(row)}
        >
          <span className={css.line}>
            <Who lead={lead} />
            {owner && (
              <span className={css.owner} title={lead.owners.map(({ name }) => name).join(', ')}>
                <Avatar
                  name={owner.name}
                  picture={records.members.find(({ id }) => id === owner.id)?.picture}
                />
                <span className="hidden">{words.board.owner(owner.name)}</span>
              </span>
            )}
          </span>
          {hasDeal(lead) && (
            <span className={css.line}>
              <bdi className={css.company}>{placeOf(lead)}</bdi>
              {lead.contract_amount !== null && (
                <span className={css.value}>
                  {formatMoney(lead.contract_amount, lead.contract_currency)}
                </span>
              )}
            </span>
          )}
          {hasTrace(lead) && (
            <span className={css.line}>
              <Value
                field={tagsField}
                lead={lead}
                records={records}
                room={roomForTags[lead.last_interaction_at ? 1 : 0]}
              />
              {lead.last_interaction_at && (
                <time
                  className={css.time}
                  dateTime={lead.last_interaction_at}
                  title={formatExact(lead.last_interaction_at)}
                >
                  {formatAgo(lead.last_interaction_at)}
                </time>
              )}
            </span>
          )}
        </Link>
        {mayWrite && (
          <button
            type="button"
            className={css.move}
            tabIndex={-1}
            aria-label={words.board.move(name)}
            title={words.board.moveTitle}
            onClick={() => props.onMove({ lead, status, row })}
          >
            <ArrowRightLeft size={13} aria-hidden="true" />
          </button>
        )}
      </div>
    </li>
  )
})

export function CardSkeleton({ top }: { top: number }) {
  return (
    <li className={css.item} style={{ top }} aria-hidden="true">
      <div className={css.card}>
        <div className={css.link}>
          <Skeleton width="60%" />
          <Skeleton width="45%" />
          <Skeleton width="30%" />
        </div>
      </div>
    </li>
  )
}

/** What follows the pointer: the card, slightly turned. */
function lift(item: HTMLElement, container: HTMLElement): void {
  const card = item.firstElementChild?.cloneNode(true)
  if (!(card instanceof HTMLElement)) return
  card.classList.add(css.lifted ?? '')
  card.style.width = `${item.offsetWidth}px`
  container.append(card)
}

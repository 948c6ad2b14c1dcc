// One status of the board: its header, and its cards in a window over all of them.
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Lead } from '../../api/lead.ts'
import type { LeadsQuery } from '../../api/lead-pages.ts'
import type { Records } from '../../api/records.ts'
import { useLeadRows } from '../../parts/grid/pages.ts'
import { useWindow } from '../../parts/grid/window.ts'
import { sumText, withStar } from '../../parts/money/sum-text.ts'
import { Sums } from '../../parts/money/sums.tsx'
import type { StatsGroup } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber, formatShortMoney } from '../../ui/format.ts'
import { Dot } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { Card, CardSkeleton, cardHeight, type Dragged, draggedCard, heightOf } from './card.tsx'
import css from './column.module.css'
import { rowIn } from './column-cache.ts'
import { Heights } from './heights.ts'
import type { ColumnRecord } from './no-stage.ts'

export interface ColumnHandle {
  count: number
  /** The row of the card that Tab reaches. */
  row: number
  leadAt: (row: number) => Lead | undefined
  /** Focuses the card of this row. With an id, this lead, which may be on its way to the row. */
  focus: (row: number, lead?: string) => void
}

interface Props {
  ref: Ref<ColumnHandle>
  status: ColumnRecord
  query: LeadsQuery
  /** Undefined until the sums are there. */
  sums: StatsGroup | undefined
  records: Records
  isFiltered: boolean
  openLead: string | undefined
  hrefOf: (lead: string) => string
  mayWrite: boolean
  onFocus: (status: string, row: number) => void
  onMove: (dragged: Dragged) => void
  onDrop: (dragged: Dragged, status: string, row: number) => void
  /** A key that is not only for this column. */
  onKey: (event: KeyboardEvent, status: string, row: number) => void
}

export function Column(props: Props) {
  const { ref, status, query, sums, records, isFiltered, openLead, hrefOf, mayWrite } = props
  const section = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  const [current, setCurrent] = useState(0)
  const [over, setOver] = useState<number>()
  const [dragged, setDragged] = useState<number>()
  const wanted = useRef<{ row: number; lead: string | undefined }>(undefined)
  const title = useId()
  const [cards] = useState(() => new Heights(cardHeight))
  const { view, space, onScroll, show, rowsInView, resize } = useWindow({
    scroller,
    count,
    rowHeight: cardHeight,
    rows: cards,
    headerHeight: 0,
  })
  const { first, end, base } = view
  const { total, leadAt, error, retry } = useLeadRows(query, first, end)
  if (total !== undefined && total !== count) setCount(total)
  useLayoutEffect(() =>
    resize(() => {
      let hasChanged = false
      for (let row = first; row < end; row++) {
        const lead = leadAt(row)
        if (lead && cards.set(row, heightOf(lead))) hasChanged = true
      }
      return hasChanged
    }),
  )

  /** The card that the pointer is in front of. */
  const rowAt = (clientY: number) => {
    const element = scroller.current
    if (!element) return 0
    const y = clientY - element.getBoundingClientRect().top + element.scrollTop - base
    const row = cards.rowAt(y)
    const isBehind = y > (cards.topOf(row) + cards.topOf(row + 1)) / 2
    return Math.max(0, Math.min(count, row + (isBehind ? 1 : 0)))
  }
  const latest = useRef({ rowAt, onDrop: props.onDrop })
  latest.current = { rowAt, onDrop: props.onDrop }
  useEffect(() => {
    if (!section.current || !scroller.current) return
    return combine(
      dropTargetForElements({
        element: section.current,
        canDrop: ({ source }) => draggedCard(source.data) !== undefined,
        getData: ({ input }) => ({ row: latest.current.rowAt(input.clientY) }),
        onDrag: ({ self }) => setOver(self.data.row as number),
        onDragLeave: () => setOver(undefined),
        onDrop: ({ self, source }) => {
          setOver(undefined)
          const card = draggedCard(source.data)
          if (card) latest.current.onDrop(card, status.id, self.data.row as number)
        },
      }),
      autoScrollForElements({ element: scroller.current }),
    )
  }, [status.id])

  const focus = (row: number, lead?: string) => {
    const next = Math.max(0, row)
    wanted.current = { row: next, lead }
    setCurrent(next)
    tryFocus()
  }
  /** A card far away is drawn, and its lead is loaded, a moment later. One that moves is still drawn where it was. */
  const tryFocus = () => {
    if (!wanted.current) return
    const { lead } = wanted.current
    const row = (lead ? rowIn(query, lead) : undefined) ?? wanted.current.row
    if (row < count) show(row)
    const card = `[data-row="${row}"]${lead ? `[data-lead="${lead}"]` : ''}`
    const link = scroller.current?.querySelector<HTMLElement>(`${card} a`)
    if (!link) return
    wanted.current = undefined
    link.focus({ preventScroll: true })
  }
  useEffect(tryFocus)
  const clamped = Math.max(first, Math.min(current, end - 1))
  useImperativeHandle(ref, () => ({ count, row: clamped, leadAt, focus }))

  const onKeyDown = (event: KeyboardEvent) => {
    const row = Number(
      (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row ?? Number.NaN,
    )
    if (Number.isNaN(row) || event.ctrlKey || event.metaKey || event.altKey) return
    const next = event.shiftKey
      ? undefined
      : {
          ArrowDown: row + 1,
          ArrowUp: row - 1,
          PageDown: row + rowsInView(),
          PageUp: row - rowsInView(),
          Home: 0,
          End: count - 1,
        }[event.key]
    if (next === undefined) return props.onKey(event, status.id, row)
    event.preventDefault()
    focus(Math.min(next, count - 1))
  }

  const { onFocus } = props
  const focused = useCallback(
    (row: number) => {
      setCurrent(row)
      onFocus(status.id, row)
    },
    [onFocus, status.id],
  )
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  // A card that is dragged stays drawn, however far its column is scrolled in the meantime.
  if (dragged !== undefined && dragged < count && !rows.includes(dragged)) rows.push(dragged)
  const shown = total ?? sums?.count
  // What is won or lost is no longer likely.
  const likely = status.type ? undefined : status.success_rate
  return (
    <section ref={section} className={css.column} aria-labelledby={title}>
      <header className={css.header}>
        <h2 id={title}>
          <Dot color={status.color} />
          <span className="cut" dir="auto">
            {status.name}
          </span>
          {shown !== undefined && (
            <span className={css.count}>
              {formatNumber(shown)}
              <span className="hidden"> {shown === 1 ? words.leads.one : words.leads.many}</span>
            </span>
          )}
        </h2>
        {likely !== undefined && <span className={css.likely}>{words.fields.likely(likely)}</span>}
        {sums && sums.values.length > 0 && (
          <Sums
            total={sums}
            filter={query.filter}
            label={words.board.value(status.name)}
            hasChance={likely !== undefined}
            trigger={
              <button type="button" className={css.sums}>
                <span className={css.value}>
                  {withStar(sumText(sums, 'value', formatShortMoney), sums.sum)}
                </span>
                {likely !== undefined && sums.sum.count > 0 && (
                  <span>{words.board.weighted(sumText(sums, 'weighted', formatShortMoney))}</span>
                )}
              </button>
            }
          />
        )}
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the cards */}
      <div ref={scroller} className={css.scroller} onScroll={onScroll} onKeyDown={onKeyDown}>
        <ul className={css.space} style={{ height: space }} aria-labelledby={title}>
          {rows.map((row) => {
            const lead = leadAt(row)
            const top = base + cards.topOf(row)
            if (!lead) return <CardSkeleton key={row} top={top} />
            return (
              <Card
                key={lead.id}
                lead={lead}
                status={status.id}
                row={row}
                count={count}
                top={top}
                href={hrefOf(lead.id)}
                records={records}
                isOpen={lead.id === openLead}
                isTabStop={row === clamped}
                mayWrite={mayWrite}
                onFocus={focused}
                onMove={props.onMove}
                onDragging={setDragged}
              />
            )
          })}
        </ul>
        {over !== undefined && (
          <div className={css.line} style={{ top: base + cards.topOf(over) - 4 }} />
        )}
        {total === undefined && !error && <Loading />}
        {total === 0 && (
          <p className={css.none}>{isFiltered ? words.board.noneMatch : words.board.none}</p>
        )}
        {total === undefined && error && (
          <div className={css.none}>
            <p>{error.message}</p>
            <Button onClick={retry}>{words.actions.retry}</Button>
          </div>
        )}
      </div>
    </section>
  )
}

const loadingCards = [0, 1, 2]

export function Loading() {
  return (
    <ul aria-hidden="true">
      {loadingCards.map((row) => (
        <CardSkeleton key={row} top={row * cardHeight} />
      ))}
    </ul>
  )
}

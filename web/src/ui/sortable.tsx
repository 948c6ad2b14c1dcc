// A list whose rows people put into an order: by dragging, with the arrow keys on the handle, or by its menu.
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { words } from '../words/index.ts'
import { Menu } from './menu.tsx'
import css from './sortable.module.css'

interface Row {
  id: string
  name: string
}

interface Props<T extends Row> {
  label: string
  rows: readonly T[]
  /** Moves a row to its new place among the others. */
  onMove: (row: T, to: number) => void
  children: (row: T, index: number) => ReactNode
}

export function Sortable<T extends Row>({ label, rows, onMove, children }: Props<T>) {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<number>()
  const [said, setSaid] = useState('')
  // The order as it will be drawn: a second key may come before the first one is.
  const latest = useRef({ rows, order: rows.map(({ id }) => id) })
  if (latest.current.rows !== rows) latest.current = { rows, order: rows.map(({ id }) => id) }
  const move = (row: T, to: number) => {
    const { order } = latest.current
    if (to < 0 || to >= order.length || order[to] === row.id) return
    onMove(row, to)
    latest.current.order = order.filter((id) => id !== row.id).toSpliced(to, 0, row.id)
    setSaid(words.actions.movedTo(row.name, to + 1, order.length))
  }
  const step = (row: T, by: number) => move(row, latest.current.order.indexOf(row.id) + by)
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  return (
    <>
      <ul className={css.list} aria-label={label}>
        {rows.map((row, index) => (
          <li
            key={row.id}
            className={css.row}
            data-dragged={row.id === dragged || undefined}
            data-over={index === over || undefined}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              setOver(index)
            }}
            onDrop={(event) => {
              event.preventDefault()
              const moved = rows.find(({ id }) => id === dragged)
              if (moved) move(moved, index)
              end()
            }}
          >
            <Handle
              name={row.name}
              index={index}
              count={rows.length}
              onMove={(to) => move(row, to)}
              onStep={(by) => step(row, by)}
              onDrag={() => setDragged(row.id)}
              onEnd={end}
            />
            {children(row, index)}
          </li>
        ))}
      </ul>
      <span className="hidden" aria-live="polite">
        {said}
      </span>
    </>
  )
}

function Handle({
  name,
  index,
  count,
  onMove,
  onStep,
  onDrag,
  onEnd,
}: {
  name: string
  index: number
  count: number
  onMove: (to: number) => void
  onStep: (by: number) => void
  onDrag: () => void
  onEnd: () => void
}) {
  const { actions } = words
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    onStep(step)
  }
  const entry = (id: string, label: string, icon: ReactNode, to: number) => ({
    id,
    label,
    icon,
    isDisabled: to < 0 || to >= count || to === index,
    onPick: () => onMove(to),
  })
  return (
    <Menu
      label={actions.move(name)}
      groups={[
        [
          entry('up', actions.moveUp, <ArrowUp />, index - 1),
          entry('down', actions.moveDown, <ArrowDown />, index + 1),
          entry('first', actions.moveFirst, <ArrowUpToLine />, 0),
          entry('last', actions.moveLast, <ArrowDownToLine />, count - 1),
        ],
      ]}
      trigger={
        <button
          type="button"
          className={css.handle}
          aria-label={actions.move(name)}
          draggable
          onKeyDown={onKeyDown}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', name)
            const row = event.currentTarget.closest('li')
            if (row) event.dataTransfer.setDragImage(row, 12, row.clientHeight / 2)
            onDrag()
          }}
          onDragEnd={onEnd}
        >
          <GripVertical size={14} aria-hidden="true" />
        </button>
      }
    />
  )
}

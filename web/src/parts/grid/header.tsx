import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  EyeOff,
  ListFilter,
  MoveLeft,
  MoveRight,
  Pin,
  PinOff,
} from 'lucide-react'
import { memo, type PointerEvent, useRef, useState } from 'react'
import type { Order } from '../../api/lead-pages.ts'
import type { Column } from '../../api/views.ts'
import { maxWidth, minWidth, type ShownColumn } from '../../kinds/columns.ts'
import { conditionFor } from '../../kinds/conditions.ts'
import type { Field } from '../../kinds/field.ts'
import { specOf } from '../../kinds/kinds.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { words } from '../../words/index.ts'
import grid from './grid.module.css'
import css from './header.module.css'

interface Props {
  columns: readonly ShownColumn[]
  order: readonly Order[]
  onOrder: (order: Order[]) => void
  onColumns: (columns: Column[]) => void
  onFilter: (field: Field) => void
  selection: 'none' | 'some' | 'all'
  onSelectAll: (isSelected: boolean) => void
  maySelect: boolean
}

const plainOf = (columns: readonly ShownColumn[]): Column[] =>
  columns.map(({ field, width, isPinned }) => ({
    id: field.id,
    ...(width !== field.width && { width }),
    ...(isPinned && { isPinned }),
  }))

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** Not drawn again while scrolling. */
export const Header = memo(function Header({
  columns,
  order,
  onOrder,
  onColumns,
  onFilter,
  selection,
  onSelectAll,
  maySelect,
}: Props) {
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const row = useRef<HTMLDivElement>(null)

  const change = (at: number, update: Partial<Column>) =>
    onColumns(
      plainOf(columns).map((column, index) => (index === at ? { ...column, ...update } : column)),
    )
  const move = (from: number, to: number) => {
    const next = plainOf(columns)
    const [moved] = next.splice(from, 1)
    if (!moved) return
    // A column that is dropped among pinned ones is pinned, and the other way round.
    const neighbor = next[to] ?? next[to - 1]
    next.splice(to, 0, { ...moved, isPinned: neighbor?.isPinned })
    onColumns(next)
  }
  const sort = (at: number, type: 'asc' | 'desc') => {
    const fields = columns[at]?.field.order ?? []
    onOrder(fields.map((field) => ({ field, type })))
  }
  /** By this column first, then by that one. Leaves the first one as it is. */
  const sortThen = (at: number, type: 'asc' | 'desc') => {
    const first = columns.find(({ field }) => field.order?.[0] === order[0]?.field)
    const fields = columns[at]?.field.order ?? []
    onOrder([
      ...order.slice(0, first?.field.order?.length ?? 1),
      ...fields.map((field) => ({ field, type })),
    ])
  }
  const sortedBy = ({ field }: ShownColumn) =>
    field.order && order.find((entry) => entry.field === field.order?.[0])
  const isFirst = ({ field }: ShownColumn) => order[0]?.field === field.order?.[0]

  /** Which column the pointer is over. */
  const columnAt = (x: number): number => {
    const cells = [...(row.current?.querySelectorAll('[data-column]') ?? [])]
    const at = cells.findIndex((cell) => x < cell.getBoundingClientRect().right)
    return at === -1 ? cells.length - 1 : at
  }
  const startDrag = (from: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const element = event.currentTarget
    const startX = event.clientX
    let isDragging = false
    const onMove = ({ clientX }: globalThis.PointerEvent) => {
      if (!isDragging && Math.abs(clientX - startX) < 6) return
      isDragging = true
      setDrag({ from, to: columnAt(clientX) })
    }
    const onUp = ({ clientX }: globalThis.PointerEvent) => {
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
      setDrag(undefined)
      if (!isDragging) return
      // The click that ends a drag does not sort.
      element.addEventListener('click', (click) => click.stopPropagation(), {
        capture: true,
        once: true,
      })
      const to = columnAt(clientX)
      if (to !== from) move(from, to)
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
  }

  const entriesOf = (column: ShownColumn, at: number): MenuEntry[][] => [
    column.field.order
      ? [
          { id: 'asc', label: words.grid.sortUp, icon: <ArrowUp />, onPick: () => sort(at, 'asc') },
          {
            id: 'desc',
            label: words.grid.sortDown,
            icon: <ArrowDown />,
            onPick: () => sort(at, 'desc'),
          },
          ...(isFirst(column) || order.length === 0
            ? []
            : [
                {
                  id: 'then-asc',
                  label: words.grid.thenUp,
                  icon: <ArrowUp />,
                  onPick: () => sortThen(at, 'asc'),
                },
                {
                  id: 'then-desc',
                  label: words.grid.thenDown,
                  icon: <ArrowDown />,
                  onPick: () => sortThen(at, 'desc'),
                },
              ]),
        ]
      : [],
    conditionFor(column.field)
      ? [
          {
            id: 'filter',
            label: words.grid.filter,
            icon: <ListFilter />,
            onPick: () => onFilter(column.field),
          },
        ]
      : [],
    [
      column.isPinned
        ? {
            id: 'pin',
            label: words.grid.unpin,
            icon: <PinOff />,
            onPick: () => change(at, { isPinned: undefined }),
          }
        : {
            id: 'pin',
            label: words.grid.pin,
            icon: <Pin />,
            onPick: () => change(at, { isPinned: true }),
          },
      {
        id: 'left',
        label: words.grid.moveLeft,
        icon: <MoveLeft />,
        isDisabled: at === 0,
        onPick: () => move(at, at - 1),
      },
      {
        id: 'right',
        label: words.grid.moveRight,
        icon: <MoveRight />,
        isDisabled: at === columns.length - 1,
        onPick: () => move(at, at + 1),
      },
    ],
    [
      {
        id: 'hide',
        label: words.grid.hide,
        icon: <EyeOff />,
        isDisabled: columns.length === 1,
        onPick: () => onColumns(plainOf(columns).filter((_, index) => index !== at)),
      },
    ],
  ]

  return (
    <div role="row" aria-rowindex={1} className={classes(grid.row, css.header)} ref={row}>
      <div role="columnheader" className={grid.number}>
        <span className="hidden">{words.grid.row}</span>
      </div>
      <div role="columnheader" className={grid.check}>
        {!maySelect && <span className="hidden">{words.grid.selectAll}</span>}
        {maySelect && (
          <input
            type="checkbox"
            aria-label={words.grid.selectAll}
            checked={selection === 'all'}
            ref={(box) => {
              if (box) box.indeterminate = selection === 'some'
            }}
            onChange={() => onSelectAll(selection === 'none')}
          />
        )}
      </div>
      {columns.map((column, at) => {
        const { field, isPinned, left } = column
        const direction = sortedBy(column)?.type
        const isTarget = drag && drag.to === at && drag.from !== at
        return (
          <div
            key={field.id}
            role="columnheader"
            data-column={field.id}
            data-pinned={isPinned || undefined}
            aria-colindex={at + 3}
            aria-sort={direction && isFirst(column) ? ariaSort[direction] : undefined}
            className={classes(
              grid.cell,
              css.cell,
              isPinned && grid.pinned,
              specOf(field.kind).isNumeric && grid.numeric,
              drag?.from === at && css.dragged,
              isTarget && (drag.to > drag.from ? css.dropAfter : css.dropBefore),
            )}
            style={isPinned ? { left } : undefined}
          >
            <button
              type="button"
              className={css.label}
              disabled={!field.order}
              onPointerDown={(event) => startDrag(at, event)}
              onClick={() => sort(at, direction === 'asc' ? 'desc' : 'asc')}
            >
              <span>{field.label}</span>
              {direction === 'asc' && <ArrowUp size={12} aria-hidden="true" />}
              {direction === 'desc' && <ArrowDown size={12} aria-hidden="true" />}
              {direction && !isFirst(column) && (
                <span className={css.level} title={words.grid.secondLevel}>
                  2
                </span>
              )}
            </button>
            <Menu
              label={field.label}
              groups={entriesOf(column, at)}
              align="end"
              trigger={
                <Button
                  look="icon"
                  className={css.more ?? ''}
                  aria-label={words.grid.columnMenu(field.label)}
                >
                  <ChevronDown size={13} />
                </Button>
              }
            />
            <Resizer
              label={words.grid.resize(field.label)}
              width={column.width}
              onWidth={(width) => change(at, { width })}
            />
          </div>
        )
      })}
    </div>
  )
})

/** The edge of a column. It can be dragged, and moved with the arrow keys. */
function Resizer({
  label,
  width,
  onWidth,
}: {
  label: string
  width: number
  onWidth: (width: number) => void
}) {
  const clamp = (value: number) => Math.max(minWidth, Math.min(maxWidth, Math.round(value)))
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const startX = event.clientX
    const start = event.currentTarget.parentElement?.getBoundingClientRect().width ?? width
    const onMove = ({ clientX }: globalThis.PointerEvent) =>
      onWidth(clamp(start + clientX - startX))
    const onUp = () => {
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(width)}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      tabIndex={-1}
      className={css.resizer}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
        if (!step) return
        event.preventDefault()
        event.stopPropagation()
        onWidth(clamp(width + step))
      }}
    />
  )
}

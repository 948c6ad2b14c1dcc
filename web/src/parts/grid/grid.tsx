// The grid of leads: rows of a window over very many, one current cell, editing in place. Focus stays on
// the grid itself, which names the active cell, because rows come and go while scrolling.
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Lead } from '../../api/lead.ts'
import type { LeadsQuery, Order } from '../../api/lead-pages.ts'
import type { Records } from '../../api/records.ts'
import type { Column } from '../../api/views.ts'
import { isText } from '../../frame/commands.ts'
import type { ShownColumn } from '../../kinds/columns.ts'
import { numberWidth, templateOf } from '../../kinds/columns.ts'
import { withSame } from '../../kinds/conditions.ts'
import type { Field } from '../../kinds/field.ts'
import type { Leave } from '../../kinds/picker.tsx'
import { toggleFlag } from '../../kinds/save.ts'
import { words } from '../../words/index.ts'
import {
  allSelected,
  isSelected,
  nothingSelected,
  type Selection,
  select,
} from '../bulk/selection.ts'
import { CellEditor } from './cell-editor.tsx'
import { CellMenu } from './cell-menu.tsx'
import { copyCell, copyRows, loadedOf } from './copy.ts'
import { findRow, useFollow } from './follow.ts'
import css from './grid.module.css'
import { Header } from './header.tsx'
import { useLeadRows } from './pages.ts'
import { cellId, Row, rowHeight } from './row.tsx'
import { useIsWide, useWindow } from './window.ts'

const headerHeight = 34

export interface GridHandle {
  focus: () => void
  goTo: (row: number) => void
  /** Moves the current row and returns its lead, if it is loaded. */
  step: (by: number) => void
  toggleCurrent: () => void
}

interface Props {
  ref: Ref<GridHandle>
  query: LeadsQuery
  columns: readonly ShownColumn[]
  records: Records
  selection: Selection
  onSelection: (selection: Selection) => void
  onOrder: (order: Order[]) => void
  onColumns: (columns: Column[]) => void
  /** By the value of a lead, or by one that the person chooses. */
  onFilter: (field: Field, lead?: Lead) => void
  openLead: string | undefined
  onOpen: (lead: Lead, row: number) => void
  /** The current row moved while a lead is open. */
  onFollow: (lead: Lead, row: number) => void
  onRows: (rows: {
    total: number | undefined
    isSlow: boolean
    error: Error | null
    retry: () => void
  }) => void
  mayWrite: boolean
}

interface Cursor {
  /** -1: none yet. */
  row: number
  /** -1: the row as a whole. */
  column: number
}

const start: Cursor = { row: -1, column: -1 }

/** How many are drawn until the real number is known. */
const waitingRows = 20

export function Grid({
  ref,
  query,
  columns,
  records,
  selection,
  onSelection,
  onOrder,
  onColumns,
  onFilter,
  openLead,
  onOpen,
  onFollow,
  onRows,
  mayWrite,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<Cursor>(start)
  const [menu, setMenu] = useState<{ cell: Element; field: Field; lead: Lead }>()
  const [editing, setEditing] = useState<Cursor & { lead: Lead }>()
  const [known, setKnown] = useState<number>()
  const count = known ?? 0
  const view = useWindow({ scroller, count: known ?? waitingRows, rowHeight, headerHeight })
  const { first, end, base, size } = view.view
  const rows = useLeadRows(query, first, end)
  const { total, leadAt, isSlow, error, retry } = rows
  if (total !== undefined && total !== known) setKnown(total)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is new each time and says nothing
  useEffect(() => {
    onRows({ total, isSlow, error, retry })
  }, [total, isSlow, error, onRows])

  // A different filter or order starts at the top.
  const lastQuery = useRef(query)
  useEffect(() => {
    if (lastQuery.current === query) return
    lastQuery.current = query
    setCursor(start)
    setEditing(undefined)
    view.show(0, 'top')
  }, [query, view])

  const isWide = useIsWide(scroller, columns)
  const now = useRef({ cursor, leadAt, selection, columns, count, openLead })
  now.current = { cursor, leadAt, selection, columns, count, openLead }

  const moveTo = useCallback(
    (row: number, column: number) => {
      const { count, columns, leadAt, openLead } = now.current
      const next = {
        row: Math.max(0, Math.min(count - 1, row)),
        column: Math.max(-1, Math.min(columns.length - 1, column)),
      }
      setCursor(next)
      view.show(next.row)
      const lead = leadAt(next.row)
      if (openLead && lead) onFollow(lead, next.row)
    },
    [view.show, onFollow],
  )

  const startEditing = useCallback(
    (row: number, column: number) => {
      const { leadAt, columns } = now.current
      const lead = leadAt(row)
      const field = columns[column]?.field
      if (!mayWrite || !lead || !field?.isEditable) return
      if (field.kind === 'flag') toggleFlag(field, lead)
      else setEditing({ row, column, lead })
    },
    [mayWrite],
  )

  const onDone = (leave: Leave) => {
    const from = editing
    setEditing(undefined)
    scroller.current?.focus({ preventScroll: true })
    if (leave === 'stay' || !from) return
    const step = leave === 'next' ? 1 : -1
    let column = from.column + step
    while (
      columns[column] &&
      !(columns[column]?.field.isEditable && columns[column]?.field.kind !== 'flag')
    )
      column += step
    if (!columns[column]) return
    setCursor({ row: from.row, column })
    startEditing(from.row, column)
  }

  const onCell = useCallback(
    (row: number, column: number, event: MouseEvent) => {
      const lead = now.current.leadAt(row)
      if (!(event.target instanceof Element) || event.target.closest('input, a')) return
      setCursor({ row, column })
      if (!lead) return
      if (now.current.columns[column]?.field.kind === 'name' || now.current.openLead)
        onOpen(lead, row)
    },
    [onOpen],
  )

  const anchorRow = useRef(0)
  const onToggle = useCallback(
    (row: number, isRange: boolean) => {
      const { leadAt, selection } = now.current
      const lead = leadAt(row)
      if (!lead) return
      const isOn = !isSelected(selection, lead.id)
      const [from, to] = isRange
        ? [Math.min(anchorRow.current, row), Math.max(anchorRow.current, row)]
        : [row, row]
      const ids = Array.from({ length: to - from + 1 }, (_, at) => leadAt(from + at)?.id)
      onSelection(
        select(
          selection,
          ids.filter((id) => id !== undefined),
          isOn,
        ),
      )
      anchorRow.current = row
      setCursor((old) => ({ row, column: old.column }))
    },
    [onSelection],
  )

  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    goTo(row) {
      setCursor({ row: Math.max(0, Math.min(now.current.count - 1, row)), column: -1 })
      view.show(row, 'top')
      scroller.current?.focus({ preventScroll: true })
    },
    step: (by) => moveTo(now.current.cursor.row + by, now.current.cursor.column),
    toggleCurrent: () => onToggle(Math.max(0, now.current.cursor.row), false),
  }))

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current && isText(event.target)) return
    if (event.target !== scroller.current) return
    const { column } = cursor
    const row = Math.max(0, cursor.row)
    const isMod = event.ctrlKey || event.metaKey
    const page = view.rowsInView() - 1
    const lead = leadAt(row)
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(cursor.row + 1, column),
      ArrowUp: () => moveTo(row - 1, column),
      ArrowRight: () => moveTo(row, column + 1),
      ArrowLeft: () => moveTo(row, column - 1),
      PageDown: () => moveTo(row + page, column),
      PageUp: () => moveTo(row - page, column),
      Home: () => (isMod ? moveTo(0, column) : moveTo(row, 0)),
      End: () => (isMod ? moveTo(count - 1, column) : moveTo(row, columns.length - 1)),
      F2: () => startEditing(row, Math.max(0, column)),
      Enter: () => {
        const isName = column === -1 || columns[column]?.field.kind === 'name'
        if (isName || !mayWrite) lead && onOpen(lead, row)
        else startEditing(row, column)
      },
      ' ': () => (event.shiftKey ? onToggle(row, true) : onToggle(row, false)),
    }
    if (isMod && event.key === 'c' && !window.getSelection()?.toString()) {
      const field = columns[column]?.field
      const ids = selection.kind === 'some' ? selection.ids : undefined
      if (ids?.size) void copyRows(columns, loadedOf(ids, first, end, leadAt), records)
      else if (lead && field) void copyCell(field, lead, records)
      else if (lead) void copyRows(columns, [lead], records)
      event.preventDefault()
      return
    }
    if (event.key === 'F' && !isMod && !event.altKey) {
      const field = columns[column]?.field
      if (lead && field) onFilter(field, lead)
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (isMod && event.key === 'a') {
      onSelection(allSelected)
      event.preventDefault()
      return
    }
    const move = moves[event.key]
    if (!move || (isMod && event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    move()
  }

  const openMenu = (event: MouseEvent) => {
    const target = event.target as Element
    const cell = target.closest('[role=gridcell][aria-colindex]')
    if (!cell || target.closest('a, input, textarea')) return
    const [, row = -1, column = -1] = cell.id.split('-').map(Number)
    const lead = leadAt(row)
    const field = columns[column]?.field
    if (!lead || !field) return
    event.preventDefault()
    setCursor({ row, column })
    setMenu({ cell, field, lead })
  }

  const selectAll = useCallback(
    (isOn: boolean) => onSelection(isOn ? allSelected : nothingSelected),
    [onSelection],
  )
  const state =
    selection.kind === 'all'
      ? selection.except.size
        ? 'some'
        : 'all'
      : selection.ids.size
        ? 'some'
        : 'none'
  const template = useMemo(() => templateOf(columns), [columns])
  const shownRows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  useFollow(cursor.row, leadAt, first, end, (row) => setCursor((old) => ({ ...old, row })))
  // What is edited stays under the editor when others add or remove leads above it.
  const editedRow =
    editing && (findRow(editing.lead.id, editing.row, leadAt, first, end) ?? editing.row)
  const shownLead = editedRow === undefined ? undefined : leadAt(editedRow)
  const editedLead = shownLead?.id === editing?.lead.id ? shownLead : editing?.lead
  const editedColumn = editing && columns[editing.column]

  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={words.grid.label}
        aria-rowcount={known === undefined ? -1 : count + 1}
        aria-colcount={columns.length + 2}
        aria-multiselectable="true"
        aria-busy={isSlow}
        aria-activedescendant={
          count > 0 && cursor.row >= first && cursor.row < end
            ? cellId(cursor.row, cursor.column)
            : undefined
        }
        className={css.grid}
        data-wide={isWide || undefined}
        style={{ '--columns': template, '--number': `${numberWidth(count)}px` } as CSSProperties}
        onScroll={view.onScroll}
        onKeyDown={onKeyDown}
        onContextMenu={openMenu}
      >
        <div className={css.wide} role="presentation">
          <Header
            columns={columns}
            order={query.order}
            onOrder={onOrder}
            onColumns={onColumns}
            onFilter={onFilter}
            selection={state}
            onSelectAll={selectAll}
            maySelect={count > 0}
          />
          <div className={css.space} style={{ height: view.space }} role="rowgroup">
            {shownRows.map((row) => {
              const lead = leadAt(row)
              return (
                <Row
                  // A row that leaves at one end comes back at the other: changing it is faster than a new one.
                  key={row % size}
                  row={row}
                  top={base + row * rowHeight}
                  lead={lead}
                  columns={columns}
                  records={records}
                  isCurrent={row === cursor.row}
                  currentColumn={row === cursor.row ? cursor.column : -1}
                  isSelected={lead !== undefined && isSelected(selection, lead.id)}
                  isOpen={lead !== undefined && lead.id === openLead}
                  onCell={onCell}
                  onEdit={startEditing}
                  onToggle={onToggle}
                />
              )
            })}
            {editing && editedLead && editedRow !== undefined && editedColumn && (
              <CellEditor
                row={editedRow}
                column={editing.column}
                top={base + editedRow * rowHeight}
                field={editedColumn.field}
                lead={editedLead}
                records={records}
                onDone={onDone}
              />
            )}
          </div>
        </div>
      </div>
      {menu && (
        <CellMenu
          key={menu.cell.id}
          {...menu}
          records={records}
          isFilterable={withSame(query.filter, menu.field, menu.lead) !== undefined}
          onFilter={onFilter}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}

import { type MouseEvent, memo } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { ShownColumn } from '../../kinds/columns.ts'
import { specOf } from '../../kinds/kinds.tsx'
import { Value } from '../../kinds/value.tsx'
import { classes } from '../../ui/classes.ts'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { fits } from './fits.ts'
import css from './grid.module.css'

export interface RowProps {
  row: number
  top: number
  lead: Lead | undefined
  columns: readonly ShownColumn[]
  records: Records
  isCurrent: boolean
  /** The marked cell of the current row. */
  currentColumn: number
  isSelected: boolean
  isOpen: boolean
  onCell: (row: number, column: number, event: MouseEvent) => void
  onEdit: (row: number, column: number) => void
  onToggle: (row: number, isRange: boolean) => void
}

export const rowHeight = 34

export const cellId = (row: number, column: number) => `cell-${row}-${column}`

export const Row = memo(function Row({
  row,
  top,
  lead,
  columns,
  records,
  isCurrent,
  currentColumn,
  isSelected,
  isOpen,
  onCell,
  onEdit,
  onToggle,
}: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      aria-busy={lead ? undefined : true}
      className={classes(
        css.row,
        isSelected && css.selected,
        (isCurrent || isOpen) && css.current,
        isOpen && css.open,
      )}
      style={{ top }}
    >
      <div role="rowheader" className={css.number} id={cellId(row, -1)}>
        {formatNumber(row + 1)}
      </div>
      <div role="gridcell" className={css.check}>
        {lead && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={words.grid.select(nameOf(lead) || words.leads.unnamed)}
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => onToggle(row, event.shiftKey)}
          />
        )}
      </div>
      {columns.map(({ field, isPinned, left, width }, column) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all cells
        <div
          key={field.id}
          role="gridcell"
          id={cellId(row, column)}
          aria-colindex={column + 3}
          className={classes(
            css.cell,
            isPinned && css.pinned,
            specOf(field.kind).isNumeric && css.numeric,
            column === currentColumn && css.marked,
            (!lead || fits(field, lead, records, width - 20)) && css.fits,
          )}
          style={isPinned ? { left } : undefined}
          onClick={(event) => onCell(row, column, event)}
          onDoubleClick={() => onEdit(row, column)}
        >
          {lead ? (
            <Value field={field} lead={lead} records={records} room={width - 20} />
          ) : (
            <Skeleton width={skeletonWidth(row, column)} />
          )}
        </div>
      ))}
    </div>
  )
})

const shares = [62, 78, 54, 70, 48, 66, 58]
const skeletonWidth = (row: number, column: number) =>
  `${shares[(row * 3 + column * 5) % shares.length]}%`

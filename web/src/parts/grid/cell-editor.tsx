// The editor of a cell of the grid.
import { lazy, Suspense } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/field.ts'
import type { Leave } from '../../kinds/picker.tsx'
import { useEarlyKeys } from '../../ui/early-keys.ts'
import css from './grid.module.css'
import { cellId, rowHeight } from './row.tsx'

const FieldEditor = lazy(() => import('../../kinds/editor.tsx'))

interface Props {
  row: number
  column: number
  top: number
  field: Field
  lead: Lead
  records: Records
  onDone: (leave: Leave) => void
}

/** The editor lies over its cell, so that a row stays as it is while it is edited. */
export function CellEditor({ row, column, top, ...rest }: Props) {
  const cell = document.getElementById(cellId(row, column))
  useEarlyKeys(cell !== null)
  if (!cell) return null
  const style = { top, left: cell.offsetLeft, width: cell.offsetWidth, minHeight: rowHeight }
  return (
    <div className={css.editor} style={style}>
      <Suspense fallback={null}>
        <FieldEditor key={`${rest.lead.id} ${column}`} anchor={cell} {...rest} />
      </Suspense>
    </div>
  )
}

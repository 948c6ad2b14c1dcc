// The columns of the grid: which, how wide, pinned or not. They are part of the address.
import type { Column } from '../api/views.ts'
import type { Field } from './field.ts'

/** A column with what it shows. */
export interface ShownColumn {
  field: Field
  width: number
  isPinned: boolean
  /** Distance of a pinned column from the left edge. */
  left: string
}

export const minWidth = 56
export const maxWidth = 800
const checkWidth = 34

/** As wide as the number of the last row. */
export const numberWidth = (count: number) => Math.max(52, String(count).length * 8 + 30)

export const defaultColumns: Column[] = [
  { id: 'name', isPinned: true },
  { id: 'company' },
  { id: 'company_role' },
  { id: 'status' },
  { id: 'tags' },
  { id: 'contract_value' },
  { id: 'owners' },
  { id: 'last_interaction_at' },
]

/** "name.240.pin,company": short enough for an address that people send each other. */
export function writeColumns(columns: readonly Column[]): string {
  return columns
    .map(({ id, width, isPinned }) =>
      [id, width ? Math.round(width) : '', isPinned ? 'pin' : ''].join('.').replace(/\.+$/, ''),
    )
    .join(',')
}

export function readColumns(text: string): Column[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => {
      const [id = '', width, pin] = part.split('.')
      const number = Number(width)
      return {
        id,
        ...(number >= minWidth && number <= maxWidth && { width: number }),
        ...(pin === 'pin' && { isPinned: true }),
      }
    })
}

/** Pinned ones first. Columns of fields that are not there (a deleted attribute) are omitted. */
export function shownColumns(columns: readonly Column[], fields: readonly Field[]): ShownColumn[] {
  const isFirst = (column: Column, at: number) =>
    columns.findIndex(({ id }) => id === column.id) === at
  const known = columns.filter(isFirst).flatMap((column) => {
    const field = fields.find(({ id }) => id === column.id)
    return field
      ? [{ field, width: column.width ?? field.width, isPinned: column.isPinned ?? false }]
      : []
  })
  let left = checkWidth
  return [
    ...known.filter(({ isPinned }) => isPinned),
    ...known.filter(({ isPinned }) => !isPinned),
  ].map((column) => {
    const placed = { ...column, left: `calc(var(--number) + ${left}px)` }
    left += column.width
    return placed
  })
}

/** The last column takes what is left of the width. */
export function templateOf(columns: readonly ShownColumn[]): string {
  const widths = columns.map(({ width }, at) =>
    at === columns.length - 1 ? `minmax(${width}px, 1fr)` : `${width}px`,
  )
  return ['var(--number)', `${checkWidth}px`, ...widths].join(' ')
}

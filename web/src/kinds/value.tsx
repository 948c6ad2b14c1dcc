// A value of a lead, shown.
import { memo } from 'react'
import type { Lead } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import type { Field } from './field.ts'
import { isEmpty, specOf } from './kinds.tsx'

interface Props {
  field: Field
  lead: Lead
  records: Records
  /** Links can be followed. In the grid, a click selects the cell instead. */
  withLinks?: boolean
  /** The width of a cell. Without it, everything fits. */
  room?: number
}

export const Value = memo(function Value({ field, lead, records, withLinks = false, room }: Props) {
  const value = field.read(lead)
  // A lead without a name is shown as such.
  if (isEmpty(value) && field.kind !== 'name') return null
  const { Show, text } = specOf(field.kind)
  const at = { field, lead, records }
  return Show ? <Show {...at} value={value} withLinks={withLinks} room={room} /> : text(value, at)
})

// A field: something that can be shown of a lead and changed in it.
import type { Lead } from '../api/lead.ts'
import type { AttributeRecord } from '../api/records.ts'
import type { words } from '../words/index.ts'

/** How a value is shown and edited. */
export type Kind =
  | 'name'
  | 'text'
  | 'long'
  | 'email'
  | 'phone'
  | 'contacts'
  | 'link'
  | 'number'
  | 'decimal'
  | 'money'
  | 'amount'
  | 'currency'
  | 'flag'
  | 'day'
  | 'time'
  | 'id'
  | 'member'
  | 'option'
  | 'options'
  | 'place'
  | 'lead'
  | 'status'
  | 'tags'
  | 'lists'
  | 'members'

export interface Field {
  id: string
  label: string
  kind: Kind
  group: keyof typeof words.grid.columnGroups
  /** What the service orders by: fields, the id of an attribute, or a relation. None: it cannot be sorted. */
  order?: readonly string[]
  isEditable: boolean
  width: number
  attribute?: AttributeRecord
  read: (lead: Lead) => unknown
  /** The body of PATCH /lead/{id} that sets this value. */
  change: (value: unknown) => Record<string, unknown>
}

// A column of a file: what is known of it, and where its values go.
import type { AttributeType } from '@rapport/contract/attributes'
import type { ContactsField } from '@rapport/contract/leads/fields'
import type { Decimal } from '@rapport/contract/numbers.values'
import type { Definitions } from '@rapport/contract/transfer.lines'
import type { AttributeRow } from '../../../../references/attributes.ts'
import type { DateOrder } from '../values/dates.ts'
import type { SaidValue, ValueRules } from '../values/value-rules.ts'
import type { Known } from './headers.ts'
import type { ColumnProfile } from './profile.ts'
import type { System } from './systems.ts'

export type Target =
  | Known
  | { kind: 'attribute'; id: string; slug: string }
  | { kind: 'ignored'; why: string }

export interface Column {
  header: string
  /** Where its cell is in a row. */
  index: number
  target: Target
  /** Why the target was chosen, for people. */
  why: string
  samples: string[]
  /** Of several columns for one field, the one with the lowest rank counts first. */
  rank: number
  /** Where values go that do not fit in the field. */
  more?: More
  /** Of dates and numbers in it. */
  dates?: DateOrder | undefined
  decimal?: Decimal | undefined
  zone?: string | undefined
  /** Of a column of statuses or options. */
  values?: ValueRules
  /** The separator between several values of one cell. */
  between?: string | undefined
  /** The type that a new attribute for it would have. */
  type?: AttributeType | undefined
  /** What the caller must specify before its values can be read. */
  ask?: 'dates' | 'decimal' | undefined
}

/**
 * An attribute, or the list of further emails or phones. `label` is that of all values of the column, unless it is the
 * one that comes first.
 */
export type More = { id: string; slug: string } | { field: ContactsField; label?: string }

export const moreLabel = (more: More) => ('field' in more ? more.field : `attribute:${more.slug}`)

export interface Mapping {
  system: System | undefined
  columns: Column[]
  /** Attributes that the workspace does not have yet. */
  toMake: AttributeRow[]
  /** Attributes of the workspace with the options that are missing. */
  toExtend: AttributeRow[]
  /** The attribute with the id in the other system, when the file has one. */
  foreignId?: { id: string; slug: string }
}

export interface Surveyed {
  header: string
  profile: ColumnProfile
  /** What its values show it to be. */
  known?: Known | undefined
}

export interface ColumnOptions {
  attributes: AttributeRow[]
  /** Of our own export. */
  definitions: Definitions | undefined
  /** Headers and their mappings. */
  map: [header: string, field: string][]
  createAttributes: boolean
  values: SaidValue[]
  unknown: ValueRules['unknown']
  dates: DateOrder | undefined
  decimal: Decimal | undefined
  /** Of the workspace. */
  zone: string
  /** Reports in the columns what is unknown, instead of rejecting the file. */
  mayAsk?: boolean | undefined
  space: string
  now: Date
  signal?: AbortSignal | undefined
}

/** As people write it: first_name, attribute:budget, tags. */
export function label(target: Target): string {
  switch (target.kind) {
    case 'attribute':
      return `attribute:${target.slug}`
    case 'ignored':
      return '-'
    case 'field':
    case 'relation':
      return target.name
    case 'name':
    case 'notes':
    case 'reminders':
    case 'attributes':
      return target.kind
  }
}

// One record for each type of attribute: how a value in a body is checked, how a condition on it becomes SQL,
// and how a file writes it.
import {
  type AttributeType,
  type attributeTable,
  attributeTypes,
} from '@rapport/contract/attributes.values'
import type { Sql } from '../db/sql.ts'
import { address, checked, chosen, moment, number, sameId, text } from './conditions.ts'
import { toDate, toTimestamp } from './dates.ts'
import type { Conditions, Read, Target } from './definition.ts'
import { anyNumber, anyText, flag, leadId, location, options, textThat } from './readers.ts'
import { byAddress, byFlag, byNumber, byOption, byText, byTime } from './sort.ts'

/** How the cell of a file writes a value. */
export type Cell =
  | 'text'
  | 'email'
  | 'phone'
  | 'number'
  | 'flag'
  | 'day'
  | 'time'
  | 'options'
  | 'place'
  | 'lead'

interface TypeRecord {
  read: Read
  conditions: Conditions
  cell: Cell
}

/** The value to order leads by. */
type Sort<Type extends AttributeType> = (typeof attributeTable)[Type] extends { isUnordered: true }
  ? { sort?: undefined }
  : { sort: (target: Target) => Sql }

export const attributeRecords: { [Type in AttributeType]: TypeRecord & Sort<Type> } = {
  TEXT: { read: anyText, conditions: text, cell: 'text', sort: byText },
  TEXTAREA: { read: anyText, conditions: text, cell: 'text', sort: byText },
  NUMBER: { read: anyNumber, conditions: number, cell: 'number', sort: byNumber },
  EMAIL: {
    // It must contain an address. "Ada <ada@example.com>" is accepted.
    read: textThat('an email address', (value) =>
      /[^\s@]@[^\s@]/.test(value) ? value : undefined,
    ),
    conditions: text,
    cell: 'email',
    sort: byText,
  },
  CHECKBOX: { read: flag, conditions: checked, cell: 'flag', sort: byFlag },
  DATE: {
    read: textThat('a date such as 2026-01-31', toDate),
    conditions: moment(toDate, 'a date, such as "2026-01-31"'),
    cell: 'day',
    sort: byTime,
  },
  TIMESTAMP: {
    read: textThat('a date-time such as 2026-01-31T09:30:00Z', toTimestamp),
    conditions: moment(
      (value) => toTimestamp(value) ?? toTimestamp(`${value}T00:00`),
      'a date or date-time, such as "2026-01-31T09:30:00Z"',
    ),
    cell: 'time',
    sort: byTime,
  },
  SELECT: { read: options, conditions: chosen, cell: 'options', sort: byOption },
  CURRENCY: { read: anyNumber, conditions: number, cell: 'number', sort: byNumber },
  LOCATION: { read: location, conditions: address, cell: 'place', sort: byAddress },
  PHONENUMBER: { read: anyText, conditions: text, cell: 'phone', sort: byText },
  RELATION: { read: leadId, conditions: sameId, cell: 'lead' },
}

export const cellOf = (type: AttributeType): Cell => attributeRecords[type].cell

/** The types whose values are in such cells. */
export const typesWithCell = (cell: Cell) => attributeTypes.filter((type) => cellOf(type) === cell)

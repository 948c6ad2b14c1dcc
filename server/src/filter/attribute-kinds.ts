// What can be asked of an attribute, by its type.

import type { Operator } from '@rapport/contract/leads/filter'
import { raw, type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import type { Attribute } from './compile.ts'
import { escapeLike } from './fold.ts'
import { type AttributeType, toDate, toTimestamp } from './values.ts'

/** The attribute at hand, and the jsonb column that holds its values. */
export interface Target {
  column: Sql
  id: string
  attribute: Attribute
}

export interface AttributeKind {
  /** A condition from the text of the value; undefined when the text cannot be read. */
  tests: Partial<Record<Operator, (text: string, target: Target) => Sql | undefined>>
  /** What the value must be, for the message about one that is not. */
  expects: string
}

/** The value as it is stored, from its text; undefined when the text cannot be read. */
type Read = (text: string, attribute: Attribute) => unknown

/** Containment, which the index on the column answers. */
function holds({ column, id }: Target, value: unknown): Sql {
  // Through text, or the driver would encode the JSON once more.
  return sql`${column} @> ${JSON.stringify({ [id]: value })}::text::jsonb`
}

function equality(read: Read, expects: string): AttributeKind {
  return {
    tests: {
      equals(text, target) {
        const value = read(text, target.attribute)
        return value === undefined ? undefined : holds(target, value)
      },
    },
    expects,
  }
}

/** equals is exact; the others take no regard of case. `textOf` is where the text is. */
function textual(read: Read, textOf: (target: Target) => Sql): AttributeKind {
  const like = (before: string, after: string) => (text: string, target: Target) =>
    sql`${textOf(target)} ilike ${before + escapeLike(text) + after}`
  const { tests, expects } = equality(read, 'a text')
  const parts = { contains: like('%', '%'), starts_with: like('', '%'), ends_with: like('%', '') }
  return { tests: { ...tests, ...parts }, expects }
}

/** Values with an order. Without a value there is nothing to compare: no ordering holds. */
function ordered(
  read: Read,
  expects: string,
  compare: (target: Target, operator: Sql, value: unknown) => Sql,
): AttributeKind {
  const by = (operator: string) => (text: string, target: Target) => {
    const value = read(text, target.attribute)
    return value === undefined ? undefined : compare(target, raw(operator), value)
  }
  const orderings = {
    greater_than: by('>'),
    greater_or_equal: by('>='),
    less_than: by('<'),
    less_or_equal: by('<='),
  }
  return { tests: { ...equality(read, expects).tests, ...orderings }, expects }
}

function readNumber(text: string): number | undefined {
  const value = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

// Compared as jsonb: a cast to a number would fail on a value that is none.
const number = ordered(readNumber, 'a number, such as "42" or "9.5"', (target, operator, value) => {
  const stored = sql`${target.column}->${target.id}::text`
  const wanted = sql`${JSON.stringify(value)}::text::jsonb`
  return sql`(jsonb_typeof(${stored}) = 'number' and ${stored} ${operator} ${wanted})`
})

/** Dates are kept as text that sorts by time, byte by byte. */
function chronological(read: Read, expects: string): AttributeKind {
  return ordered(
    read,
    expects,
    ({ column, id }, operator, value) =>
      sql`(${column}->>${id}::text) collate "C" ${operator} ${value}`,
  )
}

const text = textual(
  (value) => value,
  ({ column, id }) => sql`(${column}->>${id}::text)`,
)

const location = textual(
  (address) => ({ address }),
  ({ column, id }) => sql`(${column}->${id}::text->>'address')`,
)

const checkbox: AttributeKind = {
  tests: {
    equals(wanted, target) {
      if (wanted === 'true') return holds(target, true)
      // Never ticked is as good as not ticked.
      return wanted === 'false' ? sql`not ${holds(target, true)}` : undefined
    },
  },
  expects: '"true" or "false"',
}

const select = equality((value, { options, is_multi }) => {
  const option = value.toLowerCase()
  if (!options.includes(option)) return undefined
  return is_multi ? [option] : option
}, 'the id of one of the options')

const relation = equality(
  (value) => (isId(value) ? value.toLowerCase() : undefined),
  'the id of a lead',
)

export const attributeKinds: Record<AttributeType, AttributeKind> = {
  TEXT: text,
  TEXTAREA: text,
  EMAIL: text,
  PHONENUMBER: text,
  NUMBER: number,
  CURRENCY: number,
  CHECKBOX: checkbox,
  DATE: chronological(toDate, 'a date, such as "2026-01-31"'),
  TIMESTAMP: chronological(
    (value) => toTimestamp(value) ?? toTimestamp(`${value}T00:00`),
    'a date or date-time, such as "2026-01-31T09:30:00Z"',
  ),
  SELECT: select,
  LOCATION: location,
  RELATION: relation,
}

// The operators of each attribute type: how they become conditions on the stored value.
import type { AttributeType } from '@rapport/contract/attributes'
import type { Operator } from '@rapport/contract/leads/filter'
import { jsonb, raw, type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import type { Attribute } from './compile.ts'
import { escapeLike } from './fold.ts'
import { toDate, toTimestamp } from './values.ts'

/** The attribute of a condition, and the jsonb column that holds the values of all attributes. */
export interface Target {
  column: Sql
  id: string
  attribute: Attribute
}

export interface AttributeKind {
  /** Makes the condition from the text of the value. Returns undefined when the text is not valid. */
  tests: Partial<Record<Operator, (text: string, target: Target) => Sql | undefined>>
  /** What a valid text is, for the error message. */
  expects: string
}

/** Converts the text into the stored value. Returns undefined when the text is not valid. */
type Read = (text: string, attribute: Attribute) => unknown

/**
 * The attribute has this value. By containment (@>), for which the column has an index of the records that
 * have attributes at all.
 */
function hasValue({ column, id }: Target, value: unknown): Sql {
  return sql`(${column} @> ${jsonb({ [id]: value })} and ${column} <> '{}')`
}

function equality(read: Read, expects: string): AttributeKind {
  return {
    tests: {
      equals(text, target) {
        const value = read(text, target.attribute)
        return value === undefined ? undefined : hasValue(target, value)
      },
    },
    expects,
  }
}

/** `equals` is exact. The other operators ignore case. `textOf` is the SQL of the text. */
function textual(read: Read, textOf: (target: Target) => Sql): AttributeKind {
  const like = (before: string, after: string) => (text: string, target: Target) =>
    sql`lower(${textOf(target)}) like lower(${before + escapeLike(text) + after})`
  const { tests, expects } = equality(read, 'a text')
  const parts = { contains: like('%', '%'), starts_with: like('', '%'), ends_with: like('%', '') }
  return { tests: { ...tests, ...parts }, expects }
}

/** Values with an order. A lead without a value matches none of these operators. */
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

// Compared as jsonb, because a cast to a number would fail on a stored value that is not a number.
const number = ordered(readNumber, 'a number, such as "42" or "9.5"', (target, operator, value) => {
  const stored = sql`${target.column}->${target.id}::text`
  const wanted = jsonb(value)
  return sql`(jsonb_typeof(${stored}) = 'number' and ${stored} ${operator} ${wanted})`
})

/** Dates are stored as text that sorts by time when it is compared byte by byte. */
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
      if (wanted === 'true') return hasValue(target, true)
      // A checkbox that was never set counts as false.
      return wanted === 'false' ? sql`not ${hasValue(target, true)}` : undefined
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

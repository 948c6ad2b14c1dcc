// How the operators on attributes become conditions on the stored value.
import { maxWordLength } from '@rapport/contract/leads/filter.values'
import { escapeLike, jsonb, raw, type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import type { Conditions, Definition, Target } from './definition.ts'

/** Converts the text into the stored value. Returns undefined when the text is not valid. */
type Read = (text: string, attribute: Definition) => unknown

/**
 * The attribute has this value. By containment (@>), for which the column has an index of the records that
 * have attributes at all.
 */
function hasValue({ column, id }: Target, value: unknown): Sql {
  return sql`(${column} @> ${jsonb({ [id]: value })} and ${column} <> '{}')`
}

function equality(read: Read, expects: string): Conditions {
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

export const partInWords = `a text of 1 to ${maxWordLength} characters`

/**
 * Every text contains the empty one, so who asks for that has forgotten the value. The time to look for a part
 * grows with its length, so it is as long as a word of a search at most.
 */
export const isPart = (text: string) => text !== '' && text.length <= maxWordLength

/** `equals` is exact. The other operators ignore case. `textOf` is the SQL of the text. */
function textual(read: Read, textOf: (target: Target) => Sql): Conditions {
  const like = (before: string, after: string) => (text: string, target: Target) =>
    isPart(text)
      ? sql`lower(${textOf(target)}) like lower(${before + escapeLike(text) + after})`
      : undefined
  const { tests, expects } = equality(read, partInWords)
  const parts = { contains: like('%', '%'), starts_with: like('', '%'), ends_with: like('%', '') }
  return { tests: { ...tests, ...parts }, expects }
}

/** Values with an order. A lead without a value matches none of these operators. */
function ordered(
  read: Read,
  expects: string,
  compare: (target: Target, operator: Sql, value: unknown) => Sql,
): Conditions {
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
export const number = ordered(
  readNumber,
  'a number, such as "42" or "9.5"',
  (target, operator, value) => {
    const stored = sql`${target.column}->${target.id}::text`
    const wanted = jsonb(value)
    return sql`(jsonb_typeof(${stored}) = 'number' and ${stored} ${operator} ${wanted})`
  },
)

/** Dates are stored as text that sorts by time when it is compared byte by byte. */
export function moment(read: Read, expects: string): Conditions {
  return ordered(
    read,
    expects,
    ({ column, id }, operator, value) =>
      sql`(${column}->>${id}::text) collate "C" ${operator} ${value}`,
  )
}

export const text = textual(
  (value) => value,
  ({ column, id }) => sql`(${column}->>${id}::text)`,
)

export const address = textual(
  (value) => ({ address: value }),
  ({ column, id }) => sql`(${column}->${id}::text->>'address')`,
)

export const checked: Conditions = {
  tests: {
    equals(wanted, target) {
      if (wanted === 'true') return hasValue(target, true)
      // A checkbox that was never set counts as false.
      return wanted === 'false' ? sql`not ${hasValue(target, true)}` : undefined
    },
  },
  expects: '"true" or "false"',
}

export const chosen = equality((value, { options, is_multi }) => {
  const option = value.toLowerCase()
  if (!options.some(({ id }) => id === option)) return undefined
  return is_multi ? [option] : option
}, 'the id of one of the options')

export const sameId = equality(
  (value) => (isId(value) ? value.toLowerCase() : undefined),
  'the id of a lead',
)

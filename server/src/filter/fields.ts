// Conditions on plain fields: one set of tests for each kind of field.
import {
  type FieldOperator,
  operatorsOfKind,
  relativeDayInWords,
  spansInWords,
  takes,
} from '@rapport/contract/leads/field-operators.values'
import type { FieldKind } from '@rapport/contract/leads/fields'
import type { FieldCondition } from '@rapport/contract/leads/filter'
import { maxDecimals, readDecimal } from '@rapport/contract/money.values'
import { isPart, partInWords } from '../attributes/conditions.ts'
import { escapeLike, raw, type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import { allOf, type FilterContext, type Kind, nothing, opposite, type Place } from './compile.ts'
import { isRelative, readTime, relative, scales } from './times.ts'

export interface Column {
  kind: FieldKind
  sql: Sql
}

type Value = NonNullable<FieldCondition['value']>

/** Returns undefined when the value is not what the kind of the field takes. */
type Test = (column: Sql, value: Value, context: FilterContext) => Sql | undefined

interface Tests {
  tests: Partial<Record<FieldOperator, Test>>
  /** The field has a value. */
  isFilled: (column: Sql) => Sql
  /** What its values look like. */
  expects: string
}

/** All conditions must be true. `columns` knows the fields. */
export function fields(columns: (name: string) => Column | undefined): Kind<FieldCondition[]> {
  return (entries, place) =>
    allOf(
      entries.map((entry, index) => {
        const path = [...place.path, index]
        return fieldCondition(columns(entry.field), entry, { ...place, path }) ?? nothing
      }),
    )
}

/** The operators that select exactly what others do not select. This includes records without a value. */
const opposites: Partial<Record<FieldOperator, FieldOperator>> = {
  is_not: 'is',
  not_contains: 'contains',
  not_equals: 'equals',
}

/** Returns undefined when the entry has a fault. */
function fieldCondition(
  column: Column | undefined,
  { field, operator, value }: FieldCondition,
  { context, path, fault }: Place,
): Sql | undefined {
  if (!column) {
    fault({ path: [...path, 'field'], code: 'unknown_field', message: 'Unknown field' })
    return undefined
  }
  const allowed: readonly FieldOperator[] = operatorsOfKind[column.kind]
  if (!allowed.includes(operator)) {
    const message = `${field} supports ${allowed.join(', ')}`
    fault({ path: [...path, 'operator'], code: 'operator', message })
    return undefined
  }
  if (takes[operator] === 'nothing' && value !== undefined) {
    const message = `${operator} takes no value`
    fault({ path: [...path, 'value'], code: 'value', message })
    return undefined
  }
  const { tests, isFilled, expects } = testsOfKind[column.kind]
  if (operator === 'is_not_empty') return isFilled(column.sql)
  if (operator === 'is_empty') return opposite(isFilled(column.sql))

  if (takes[operator] !== 'nothing' && value === undefined) {
    fault({ path: [...path, 'value'], code: 'required', message: 'Required' })
    return undefined
  }
  const positive = opposites[operator]
  const condition = isRelative(operator)
    ? relative(column.sql, operator, value, context, scales.time)
    : tests[positive ?? operator]?.(column.sql, value as Value, context)
  if (!condition) {
    const message = `Must be ${wanted(operator, expects)}`
    fault({ path: [...path, 'value'], code: 'value', message })
    return undefined
  }
  return positive ? opposite(condition) : condition
}

const partial: FieldOperator[] = ['contains', 'not_contains', 'starts_with', 'ends_with']

function wanted(operator: FieldOperator, expects: string): string {
  if (partial.includes(operator)) return partInWords
  if (takes[operator] === 'span') return spansInWords
  return takes[operator] === 'two'
    ? `an array of two, the smaller one first, each ${expects}`
    : expects
}

// ------------------------------------------------------------------------------------------ text

const isText = (value: Value): value is string => typeof value === 'string' && value !== ''

const like =
  (before: string, after: string): Test =>
  (column, value) =>
    isText(value) && isPart(value)
      ? sql`lower(${column}) like lower(${before + escapeLike(value) + after})`
      : undefined

/** The text is not blank. Most begin with a letter, which is faster to find than by the expression. */
export const hasText = (column: Sql) =>
  sql`(ascii(${column}) between 33 and 126 or ${column} ~ '\\S')`

const text: Tests = {
  tests: {
    is: (column, value) => (isText(value) ? sql`lower(${column}) = lower(${value})` : undefined),
    contains: like('%', '%'),
    starts_with: like('', '%'),
    ends_with: like('%', ''),
  },
  isFilled: hasText,
  expects: 'a text that is not empty',
}

// --------------------------------------------------------------------------------------- numbers

const isNotNull = (column: Sql) => sql`${column} is not null`

/** Numbers, also as text. */
function numbers(type: 'bigint' | 'numeric', decimals: number, expects: string): Tests {
  const read = (value: Value | undefined) => {
    const isOne = typeof value === 'string' || typeof value === 'number'
    return isOne ? readDecimal(String(value), decimals) : undefined
  }
  const compare =
    (operator: string): Test =>
    (column, value) => {
      const number = read(value)
      return number === undefined
        ? undefined
        : sql`${column} ${raw(operator)} ${number}::${raw(type)}`
    }
  return {
    tests: {
      equals: compare('='),
      greater_than: compare('>'),
      greater_or_equal: compare('>='),
      less_than: compare('<'),
      less_or_equal: compare('<='),
      between(column, value) {
        if (!Array.isArray(value)) return undefined
        const [from, to] = value.map(read)
        return from === undefined || to === undefined || from > to
          ? undefined
          : sql`${column} between ${from}::${raw(type)} and ${to}::${raw(type)}`
      },
    },
    isFilled: isNotNull,
    expects,
  }
}

// ----------------------------------------------------------------------------------------- times

const within = (column: Sql, { start, end }: { start: Sql; end: Sql }) =>
  sql`(${column} >= ${start} and ${column} < ${end})`

const read = (value: unknown, context: FilterContext) =>
  typeof value === 'string' ? readTime(value, context) : undefined

const time: Tests = {
  tests: {
    on(column, value, context) {
      const interval = read(value, context)
      return interval && within(column, interval)
    },
    before(column, value, context) {
      const interval = read(value, context)
      return interval && sql`${column} < ${interval.start}`
    },
    after(column, value, context) {
      const interval = read(value, context)
      return interval && sql`${column} >= ${interval.end}`
    },
    between(column, value, context) {
      if (!Array.isArray(value)) return undefined
      const [from, to] = value.map((end) => read(end, context))
      return from && to && within(column, { start: from.start, end: to.end })
    },
  },
  isFilled: isNotNull,
  expects: `a date or date-time, such as "2026-01-31", or ${relativeDayInWords}`,
}

// ------------------------------------------------------------------------------------ other kinds

const flag: Tests = {
  tests: {
    is(column, value) {
      if (typeof value !== 'boolean') return undefined
      return value ? column : opposite(column)
    },
  },
  isFilled: isNotNull,
  expects: 'true or false',
}

/** An id that is not a UUID matches nothing, as everywhere in a filter. */
const id: Tests = {
  tests: {
    is(column, value) {
      if (typeof value !== 'string') return undefined
      return isId(value) ? sql`${column} = ${value}::uuid` : nothing
    },
  },
  isFilled: isNotNull,
  expects: 'an id',
}

/** Any of the values. */
const contacts: Tests = {
  ...text,
  tests: Object.fromEntries(
    Object.entries(text.tests).map(([operator, test]): [string, Test] => [
      operator,
      (column, value, context) => {
        const matches = test(sql`item ->> 'value'`, value, context)
        return (
          matches && sql`exists (select from jsonb_array_elements(${column}) item where ${matches})`
        )
      },
    ]),
  ),
  isFilled: isNotNull,
}

const json: Tests = { tests: {}, isFilled: isNotNull, expects: '' }

const testsOfKind: Record<FieldKind, Tests> = {
  uuid: id,
  text,
  phone: text,
  currency: text,
  time,
  integer: numbers('bigint', 0, 'a whole number'),
  amount: numbers('numeric', maxDecimals, `a number with up to ${maxDecimals} decimals`),
  flag,
  json,
  contacts,
}

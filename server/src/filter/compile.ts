// Compiles a filter into an SQL condition. This file knows the grammar. It does not know leads: the
// caller passes a table of fields, which says what each field is and where it is stored.

import { badRequest, type Issue } from '@rapport/contract/errors'
import type { Definition } from '../attributes/definition.ts'
import { join, Sql, sql } from '../db/sql.ts'

export interface Scope {
  space: string
  /** Relative days, such as today, are counted from this time. */
  now: Date
}

export interface FilterContext extends Scope {
  attribute(id: string): Definition | undefined
  /** The lead that the one with this id was merged into, or else the id. */
  lead?(id: string): string
  /** The condition is checked for few records, one by one. */
  isForFew?: boolean
}

/** Where in the request a value is, and how to report that it is wrong. */
export interface Place {
  context: FilterContext
  path: Issue['path']
  /** Reports a fault. The condition that the kind then returns is not used. */
  fault(fault: Issue): void
}

/** Turns the value of a field into a condition. Returns undefined when the value selects everything. */
export type Kind<Value> = (value: Value, place: Place) => Sql | undefined

/** The table of fields: one kind for each field of the filter. */
export type Fields<Filter> = { [Field in keyof Filter]-?: Kind<NonNullable<Filter[Field]>> }

export const everything = sql`true`
export const nothing = sql`false`

/**
 * Returns a condition that is true for what the filter selects, and false or null for everything else.
 * It does not check the workspace, nor whether a row is deleted. The statement around it must do that.
 */
export function compileFilter<Filter extends object>(
  filter: Filter,
  fields: Fields<Filter>,
  context: FilterContext,
  path: Issue['path'],
): Sql {
  const faults: Issue[] = []
  const fault = (fault: Issue) => faults.push(fault)
  const condition = compileConditions(filter, fields, { context, path, fault })
  if (faults.length > 0) throw badRequest(faults)
  return condition ?? everything
}

/** The same, without its faults. Returns undefined when the filter has no condition. */
function compileConditions<Filter extends object>(
  filter: Filter,
  fields: Fields<Filter>,
  place: Place,
): Sql | undefined {
  const conditions: Sql[] = []
  for (const [field, value] of Object.entries(filter)) {
    const path = [...place.path, field]
    // An unknown field is an error. If it were ignored, the filter would select more than was asked for.
    if (!Object.hasOwn(fields, field)) {
      place.fault({ path, code: 'unknown_field', message: 'Unknown field' })
    } else if (value !== undefined) {
      const kind = fields[field as keyof Filter] as Kind<unknown>
      const condition = kind(value, { ...place, path })
      if (condition) conditions.push(condition)
    }
  }
  return allOf(conditions)
}

/** The record is selected by one of these filters, or by none of them. */
export function filters<Filter extends object>(
  fields: () => Fields<Filter>,
  wanted: 'any' | 'none',
): Kind<Filter[]> {
  return (entries, place) => {
    const conditions = entries.map((filter, index) => {
      const path = [...place.path, index]
      const condition = compileConditions(filter, fields(), { ...place, path })
      // One that selects every record would be a mistake, and could widen a bulk change.
      if (!condition) place.fault({ path, code: 'empty', message: 'Must have a condition' })
      return condition ?? nothing
    })
    if (wanted === 'none') return allOf(conditions.map(opposite))
    return anyOf(conditions.map(place.context.isForFew ? oneByOne : inParentheses))
  }
}

/** The record is one of these. */
class Among extends Sql {}

/** The subquery hides the ids from the planner, which would otherwise weigh each of them: 1.5 ms for 3,000. */
export function among(column: Sql, ids: string[] | string): Sql {
  const { strings, values } = sql`${column} = any(array(select unnest(${ids}::uuid[])))`
  return new Among(strings, values)
}

/**
 * Joins with AND. Returns undefined for an empty array.
 *
 * With many ids, the other conditions are checked for each of these records (IS TRUE), and are not joined:
 * PostgreSQL would sort the ids again for every row of the other table. 20,000 ids and a new list of as many
 * leads took more than 30 s.
 */
export function allOf(conditions: Sql[]): Sql | undefined {
  if (conditions.includes(nothing)) return nothing
  if (conditions.length < 2) return conditions[0]
  const others = conditions.filter((condition) => !(condition instanceof Among))
  if (others.length === conditions.length || others.length === 0) return join(conditions, ' and ')
  const ids = conditions.filter((condition) => condition instanceof Among)
  return sql`${join(ids, ' and ')} and (${join(others, ' and ')}) is true`
}

/** Joins with OR. The array must not be empty. */
export function anyOf(conditions: Sql[]): Sql {
  return conditions.length === 1 ? join(conditions, '') : sql`(${join(conditions, ' or ')})`
}

const inParentheses = (condition: Sql) => sql`(${condition})`

/** There are such rows. Never null, so its opposite is NOT, which PostgreSQL can do as a join. */
class Existence extends Sql {
  readonly rows: Sql

  constructor(rows: Sql) {
    const { strings, values } = sql`exists (${rows})`
    super(strings, values)
    this.rows = rows
  }
}

export const exists = (rows: Sql): Sql => new Existence(rows)

/** OFFSET 0: with OR, PostgreSQL would read all rows into a hash table first, and be three times as slow. */
const oneByOne = (condition: Sql) =>
  condition instanceof Existence
    ? sql`exists (${condition.rows} offset 0)`
    : inParentheses(condition)

/** True for what the condition does not select. */
export function opposite(condition: Sql): Sql {
  return condition instanceof Existence ? sql`not ${condition}` : sql`(${condition}) is not true`
}

// Compiles a filter into an SQL condition. This file knows the grammar. It does not know leads: the
// caller passes a table of fields, which says what each field is and where it is stored.

import type { AttributeType } from '@rapport/contract/attributes'
import { badRequest, type Issue } from '@rapport/contract/errors'
import { join, type Sql, sql } from '../db/sql.ts'

export interface Attribute {
  type: AttributeType
  is_multi: boolean
  /** The ids of the options, for type SELECT. */
  options: string[]
}

export interface FilterContext {
  space: string
  attribute(id: string): Attribute | undefined
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
  const conditions: Sql[] = []
  for (const [field, value] of Object.entries(filter)) {
    const at = [...path, field]
    // An unknown field is an error. If it were ignored, the filter would select more than was asked for.
    if (!Object.hasOwn(fields, field)) {
      faults.push({ path: at, code: 'unknown_field', message: 'No such field' })
    } else if (value !== undefined) {
      const kind = fields[field as keyof Filter] as Kind<unknown>
      const condition = kind(value, { context, path: at, fault: (fault) => faults.push(fault) })
      if (condition) conditions.push(condition)
    }
  }
  if (faults.length > 0) throw badRequest(faults)
  return allOf(conditions) ?? everything
}

/** Joins with AND. Returns undefined for an empty array. */
export function allOf(conditions: Sql[]): Sql | undefined {
  return conditions.length === 0 ? undefined : join(conditions, ' and ')
}

/** Joins with OR. The array must not be empty. */
export function anyOf(conditions: Sql[]): Sql {
  return conditions.length === 1 ? join(conditions, '') : sql`(${join(conditions, ' or ')})`
}

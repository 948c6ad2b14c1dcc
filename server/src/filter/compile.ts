// A filter becomes a condition in SQL. This file knows the grammar; what the fields are, and where
// they are stored, is in the table of fields it is given.

import { badRequest, type Issue } from '@rapport/contract/errors'
import { join, type Sql, sql } from '../db/sql.ts'
import type { AttributeType } from './values.ts'

export interface Attribute {
  type: AttributeType
  is_multi: boolean
  /** Ids of the options of a SELECT. */
  options: string[]
}

export interface FilterContext {
  space: string
  attribute(id: string): Attribute | undefined
}

/** What a kind gets beside its value. */
export interface Place {
  context: FilterContext
  path: Issue['path']
  /** Notes a fault of the value; what the kind answers then does not matter. */
  fault(fault: Issue): void
}

/** How a field becomes a condition; undefined where its value asks for nothing. */
export type Kind<Value> = (value: Value, place: Place) => Sql | undefined

/** One kind for each field of the filter, none left out. */
export type Fields<Filter> = { [Field in keyof Filter]-?: Kind<NonNullable<Filter[Field]>> }

export const everything = sql`true`
export const nothing = sql`false`

/**
 * Holds for what the filter selects, and is false or null otherwise. It says nothing about the
 * workspace or deletion of the rows it is put on: the statement around it does.
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
    // Never skipped: a condition that is ignored would select more than was asked for.
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

/** Undefined when there are none: no condition. */
export function allOf(conditions: Sql[]): Sql | undefined {
  return conditions.length === 0 ? undefined : join(conditions, ' and ')
}

/** Of at least one. */
export function anyOf(conditions: Sql[]): Sql {
  return conditions.length === 1 ? join(conditions, '') : sql`(${join(conditions, ' or ')})`
}

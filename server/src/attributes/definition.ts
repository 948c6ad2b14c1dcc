// What the records of the types work with.
import type { AttributeType, Operator } from '@rapport/contract/attributes.values'
import type { Issue } from '@rapport/contract/errors'
import type { Sql } from '../db/sql.ts'

export interface Definition {
  id: string
  name: string
  type: AttributeType
  is_multi: boolean
  /** Those of a SELECT attribute. */
  options: { id: string }[]
}

/** Returns the value to store. Adds a fault to `issues`; the returned value is then not used. */
export type Read = (
  attribute: Definition,
  value: unknown,
  path: Issue['path'],
  issues: Issue[],
) => unknown

/** The attribute of a condition, and the jsonb column that holds the values of all attributes. */
export interface Target {
  column: Sql
  id: string
  attribute: Definition
}

export interface Conditions {
  /** Makes the condition from the text of the value. Returns undefined when the text is not valid. */
  tests: Partial<Record<Operator, (text: string, target: Target) => Sql | undefined>>
  /** What a valid text is, for the error message. */
  expects: string
}

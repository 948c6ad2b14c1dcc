// The columns of the lead table and their types, derived from the table of lead fields in the contract.
import { type FieldKind, type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import { type Sql, typedAs } from '../../../db/sql.ts'

const typeOfKind: Record<FieldKind, string> = {
  uuid: 'uuid',
  text: 'text',
  phone: 'text',
  currency: 'text',
  time: 'timestamptz',
  integer: 'integer',
  amount: 'numeric',
  flag: 'boolean',
  json: 'jsonb',
  contacts: 'jsonb',
}

/**
 * All columns. The first three are not lead fields: custom attributes, the claim of a company name (search/match.ts), and
 * the lead that this one became part of.
 */
const columnTypes: Record<string, string> = {
  attributes: 'jsonb',
  company_claim: 'text',
  merged_into: 'uuid',
  ...Object.fromEntries(
    Object.entries(leadFields).map(([name, { kind }]) => [name, typeOfKind[kind]]),
  ),
}

export function columnType(name: string): string {
  const type = columnTypes[name]
  if (type === undefined) throw new Error(`The lead table has no column ${name}`)
  return type
}

/** A value with the type of its column. */
export function typed(column: string, value: unknown): Sql {
  return typedAs(columnType(column), value)
}

/** The defaults of columns that cannot be null. Ids and times need none: they are always set. */
export const columnDefaults: Record<string, unknown> = Object.fromEntries(
  Object.entries(leadFields).flatMap(([name, { kind, notNull }]: [string, FieldSpec]) => {
    if (!notNull || kind === 'uuid' || kind === 'time') return []
    return [[name, kind === 'flag' ? false : 0]]
  }),
)

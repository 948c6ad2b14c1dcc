// Journals changes of lead fields and attributes: which lead had which value before, and has which now.
import { raw, type Sql, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { journal, jsonObject } from '../../feed/journal.sql.ts'

/** A field or attribute and its values, as expressions over the row of the lead. */
export interface FieldPair {
  name: string
  before: Sql
  after: Sql
}

/** Internal columns: they follow from other fields. */
const unsaid = new Set(['company_claim', 'updated_at'])

/** In events and journals, attributes stand beside the fields. */
export const attributePrefix = 'attributes.'

export function fieldPair(name: string, after: Sql): FieldPair {
  return { name, before: sql`lead.${raw(`"${name}"`)}`, after }
}

/** `after` is of type jsonb. */
export function attributePair(id: string, after: Sql): FieldPair {
  return { name: attributePrefix + id, before: sql`lead.attributes -> ${id}::text`, after }
}

/**
 * For `runJournaled`. `from` names the lead table and what it is joined with. Give the part that
 * changes the leads as one that comes after: values before are those that are there now.
 */
export function fieldJournal(by: Author, pairs: FieldPair[], from: Sql, where: Sql): Sql {
  const said = pairs.filter(({ name }) => !unsaid.has(name))
  const before = jsonObject(said.map(({ name, before }) => [name, before]))
  const after = jsonObject(said.map(({ name, after }) => [name, after]))
  const changes = sql`select lead.id, ${before} as old, ${after} as new from ${from} where ${where}`
  return journal(by, 'fields', changes)
}

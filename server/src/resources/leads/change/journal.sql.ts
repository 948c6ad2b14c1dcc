// Journals changes of lead fields and attributes: which lead had which value before, and has which now.
import { join, raw, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journal, journalOf, jsonObject } from '../../../feed/journal.sql.ts'

/** A field or attribute and its values, as expressions over the row of the lead. */
export interface FieldPair {
  name: string
  before: Sql
  after: Sql
}

/** Internal columns: they follow from other fields. */
const unsaid = new Set(['company_claim', 'updated_at'])

/** In events and journals, attributes are next to the fields. */
export const attributePrefix = 'attributes.'

export function fieldPair(name: string, after: Sql): FieldPair {
  return { name, before: sql`lead.${raw(`"${name}"`)}`, after }
}

/** `after` is of type jsonb. */
export function attributePair(id: string, after: Sql): FieldPair {
  return { name: attributePrefix + id, before: sql`lead.attributes -> ${id}::text`, after }
}

/** The values in the change feed and the journal. */
const said = (pairs: FieldPair[]) => pairs.filter(({ name }) => !unsaid.has(name))
const objectOf = (pairs: FieldPair[], side: 'before' | 'after') =>
  jsonObject(pairs.map((pair) => [pair.name, pair[side]]))

/**
 * For `runJournaled`, if all leads get the same values. Leads with equal old values are put together
 * first: a JSON object for each of them would take more time than the change.
 */
export function alikeJournal(by: Author, pairs: FieldPair[], where: Sql): Sql {
  const told = said(pairs)
  const names = told.map((_, at) => raw(`before_${at}`))
  const befores = told.map(({ before }, at) => sql`${before} as ${names[at] as Sql}`)
  const kept = told.map(({ name }, at) => ({ name, before: names[at] as Sql, after: sql`` }))
  const alike = sql`
    select ${join([...names, sql`array_agg(id order by id) as ids`], ', ')}
    from (select ${join([raw('lead.id'), ...befores], ', ')} from lead where ${where}) lead
    ${names.length > 0 ? sql`group by ${join(names, ', ')}` : sql``}`
  return journalOf(
    by,
    'fields',
    sql`select ${objectOf(kept, 'before')} as old, ${objectOf(told, 'after')} as new, ids
      from (${alike}) alike`,
  )
}

/**
 * For `runJournaled`. `from` names the lead table and what it is joined with. Give the part that
 * changes the leads as one that comes after: old values are those that are there now.
 */
export function fieldJournal(by: Author, pairs: FieldPair[], from: Sql, where: Sql): Sql {
  const told = said(pairs)
  const changes = sql`select lead.id, ${objectOf(told, 'before')} as old, ${objectOf(told, 'after')} as new
    from ${from} where ${where}`
  return journal(by, 'fields', changes)
}

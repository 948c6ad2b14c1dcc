// Finds and changes leads batch by batch, for imports. Each statement works on a whole batch.
import { contactsFields, leadFields, type MatchField } from '@rapport/contract/leads/fields'
import { lockSpace } from '../../../access/access.sql.ts'
import type { Db } from '../../../db/driver.ts'
import { columnNames, join, raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journal, journalIds, runJournaled } from '../../../feed/journal.sql.ts'
import { holdOffErasing } from '../erase/erase.sql.ts'
import { columnType } from '../row/columns.ts'
import { furtherOf, matchExpression } from '../search/match.ts'
import { attributePair, attributePrefix, fieldJournal, fieldPair } from './journal.sql.ts'
import { refreshDerived } from './refresh.ts'
import { idArray } from './relations.sql.ts'

/**
 * One batch of an import per workspace at a time: two would both miss what the other adds.
 * A larger pending list makes the GIN indexes merge new entries less often.
 */
export async function beginBatch(db: Db, space: string): Promise<void> {
  await run(db)`select set_config('gin_pending_list_limit', '32768', true)`
  await lockSpace(db, space)
  await holdOffErasing(db, space)
}

export async function selectLeadIds(db: Db, space: string, ids: string[]) {
  if (ids.length === 0) return []
  // LIMIT: one index lookup per id, however many rows PostgreSQL expects.
  return run<{ id: string; is_deleted: boolean; created_at: string }[]>(db)`
    select lead.id, lead.is_deleted, lead.created_at from unnest(${idArray(ids)}) as wanted (id)
    cross join lateral (
      select lead.id, lead.is_deleted, lead.created_at from lead
      where lead.id_space = ${space} and lead.id = wanted.id limit 1) lead`
}

export interface FoundByKey {
  id: string
  /** The key is that of a further value. */
  isFurther: boolean
}

/** The live leads with one of these keys: key → leads, the oldest first. */
export async function selectIdsByKey(
  db: Db,
  space: string,
  field: MatchField,
  keys: string[],
): Promise<Map<string, FoundByKey[]>> {
  const expression = matchExpression(field)
  // The index holds the first 255 characters.
  const starts = keys.map((key) => Array.from(key).slice(0, 255).join(''))
  const live = sql`lead.id_space = ${space} and not lead.is_deleted`
  const further = furtherOf(field)
  const others = further
    ? sql`union all
      select lead.id, key, true, lead.created_at from lead, unnest(${further.keys}) key
      where ${live} and ${further.isThere} and ${further.keys} && ${keys}::text[]`
    : sql``
  const rows = await run<{ id: string; key: string; is_further: boolean }[]>(db)`
    select id, key, is_further from (
      select lead.id, ${expression} as key, false as is_further, lead.created_at from lead
      where ${live} and lead.${raw(field)} is not null
        and left(${expression}, 255) = any(${starts}::text[])
      ${others}) found
    order by created_at, id, is_further`
  const found = new Map<string, FoundByKey[]>()
  for (const { id, key, is_further: isFurther } of rows) {
    const known = found.get(key) ?? []
    if (known.at(-1)?.id !== id) found.set(key, [...known, { id, isFurther }])
  }
  return found
}

/** The live leads with one of these values of an attribute, the oldest first. Values are JSON. */
export function selectIdsByAttribute(db: Db, space: string, id: string, values: string[]) {
  const wanted = values.map((value) => ({ value, entry: `{"${id}":${value}}` }))
  return run<{ id_lead: string; value: string }[]>(db)`select lead.id as id_lead, wanted.value
    from json_to_recordset(${JSON.stringify(wanted)}::text::json)
      as wanted (value text, entry text)
    cross join lateral (
      select lead.id, lead.created_at from lead
      where lead.id_space = ${space} and not lead.is_deleted
        and lead.attributes @> wanted.entry::jsonb and lead.attributes <> '{}') lead
    order by lead.created_at, lead.id`
}

const quoted = (name: string) => raw(`"${name}"`)
const declared = (name: string) => raw(`"${name}" ${columnType(name)}`)

export interface LeadUpdate {
  id: string
  /** Which of the columns the row sets. */
  sent: string[]
  set: Record<string, unknown>
  attributes: Record<string, unknown>
  cleared: string[]
}

export async function lockLeads(db: Db, space: string, ids: string[]): Promise<void> {
  await run(db)`select lead.id from unnest(${idArray(ids)}) as wanted (id)
    join lead on lead.id_space = ${space} and lead.id = wanted.id
    order by lead.id for no key update of lead`
}

/** The emails and phones of these leads: lead → fields. */
export async function selectContacts(
  db: Db,
  space: string,
  ids: string[],
): Promise<Map<string, Record<string, unknown>>> {
  if (ids.length === 0) return new Map()
  const names = ['id', ...contactsFields.flatMap((name) => [leadFields[name].of, name])]
  const rows = await run<{ id: string }[]>(db)`select ${columnNames(names)} from lead
    where id_space = ${space} and id = any(${idArray(ids)})`
  return new Map(rows.map(({ id, ...fields }) => [id, fields]))
}

/** Sets what each row sends, and journals it. */
export async function updateRows(
  db: Db,
  by: Author,
  columns: string[],
  updates: LeadUpdate[],
): Promise<void> {
  const rows = updates.map(({ id, sent, set, attributes, cleared }) => {
    return { ...set, id, sent, attributes, cleared }
  })
  const entry = sql`entry as materialized (
    select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as entry (
      id uuid, sent text[], attributes jsonb, cleared text[]
      ${columns.length > 0 ? sql`, ${join(columns.map(declared), ', ')}` : sql``}))`
  const newValue = (name: string) => {
    const column = quoted(name)
    return sql`case when ${name}::text = any(entry.sent) then entry.${column} else lead.${column} end`
  }
  const attributes = new Set(
    updates.flatMap((update) => [...Object.keys(update.attributes), ...update.cleared]),
  )
  const pairs = [
    ...columns.map((name) => fieldPair(name, newValue(name))),
    ...[...attributes].map((id) =>
      attributePair(
        id,
        sql`case when entry.attributes ? ${id}::text then entry.attributes -> ${id}::text
          when ${id}::text = any(entry.cleared) then null else lead.attributes -> ${id}::text end`,
      ),
    ),
  ]
  const sets = columns.map((name) => sql`${quoted(name)} = ${newValue(name)}`)
  const own = sql`lead.id_space = ${by.space} and lead.id = entry.id`
  const updated = sql`updated as (
    update lead
    set ${join([...sets, sql`updated_at = ${by.now.toISOString()}::timestamptz`], ', ')},
      attributes = (lead.attributes || entry.attributes) - entry.cleared
    from entry where ${own})`
  await runJournaled(db, [entry], fieldJournal(by, pairs, sql`lead, entry`, own), [updated])
  await refreshDerived(db, by.space, columns, idArray(updates.map(({ id }) => id)))
}

/** Journals that these leads are new. */
export async function journalCreated(db: Db, by: Author, ids: string[]): Promise<void> {
  const rows = sql`select ${idArray(ids)} as ids, null::jsonb as old, null::jsonb as new`
  if (ids.length > 0) await journalIds(db, by, 'created', rows)
}

export interface DeferredRelation {
  id_lead: string
  id_attribute: string
  id_other: string
}

/** Keeps relations to leads that the import has not reached yet. */
export async function deferRelations(
  db: Db,
  space: string,
  id_import: string,
  relations: DeferredRelation[],
): Promise<void> {
  if (relations.length === 0) return
  const ids = (field: keyof DeferredRelation) => idArray(relations.map((entry) => entry[field]))
  await run(db)`insert into import_relation (id_space, id_import, id_lead, id_attribute, id_other)
    select ${space}::uuid, ${id_import}::uuid, id_lead, id_attribute, id_other
    from unnest(${ids('id_lead')}, ${ids('id_attribute')}, ${ids('id_other')})
      as entry (id_lead, id_attribute, id_other)
    on conflict (id_space, id_import, id_lead, id_attribute)
      do update set id_other = excluded.id_other`
}

/** Sets the relations whose leads exist by now. Returns how many do not. */
export async function resolveRelations(db: Db, by: Author, id_import: string): Promise<number> {
  const { space } = by
  const mine = sql`import_relation.id_space = ${space} and import_relation.id_import = ${id_import}`
  const found = sql`found as materialized (
    select import_relation.id_lead,
      jsonb_object_agg(import_relation.id_attribute, import_relation.id_other) as value
    from import_relation
    join lead other on other.id_space = ${space} and other.id = import_relation.id_other
      and not other.is_deleted
    join attribute on attribute.id_space = ${space}
      and attribute.id = import_relation.id_attribute
    where ${mine} group by import_relation.id_lead)`
  const updated = sql`updated as (
    update lead set attributes = lead.attributes || found.value
    from found where lead.id_space = ${space} and lead.id = found.id_lead)`
  const named = (value: Sql) => sql`(
    select jsonb_object_agg(${attributePrefix}::text || entry.key, ${value})
    from jsonb_each(found.value) entry)`
  const changes = sql`
    select lead.id, ${named(sql`lead.attributes -> entry.key`)} as old,
      ${named(sql`entry.value`)} as new
    from lead, found where lead.id_space = ${space} and lead.id = found.id_lead`
  await runJournaled(db, [found], journal(by, 'fields', changes), [updated])
  const rows = await run(db)`select count(*)::int as count from import_relation
    where ${mine} and not exists (
      select 1 from lead other where other.id_space = ${space}
        and other.id = import_relation.id_other and not other.is_deleted)`
  await run(db)`delete from import_relation where ${mine}`
  return Number(rows[0]?.count ?? 0)
}

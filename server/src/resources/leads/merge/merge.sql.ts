// Statements that merge leads. Each works on all groups at once. The leads are locked already.
import { type LeadRelation, leadRelations, relationNames } from '@rapport/contract/leads/relations'
import { typesWithCell } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
import { columnNames, join, raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journalMerged } from '../../../feed/journal.sql.ts'
import { connect, idArray, setStatuses } from '../change/relations.sql.ts'
import { forgetKeys, refreshKeys } from '../duplicates/keys.sql.ts'
import { companyKey } from '../search/match.ts'
import {
  changeStays,
  changeSteps,
  moveToLeads,
  ofMerged,
  staysOfMerged,
  unitedSteps,
} from './belongings.sql.ts'
import { type MergeLead, mergedColumns, sized } from './values.ts'

/** A lead that goes, and the one that it becomes part of. */
export interface Pair {
  id: string
  into: string
}

/** A query with the columns id and id_into. */
const pairsOf = (pairs: Pair[]) =>
  sql`select id, id_into from unnest(${idArray(pairs.map(({ id }) => id))}, ${idArray(pairs.map(({ into }) => into))})
    as pair (id, id_into)`

/** The values that are merged, as JSON has them. */
export async function selectToMerge(db: Db, space: string, ids: string[]): Promise<MergeLead[]> {
  const names = ['id', 'created_at', 'updated_at', 'attributes', ...mergedColumns]
  const rows = await run<{ lead: MergeLead }[]>(db)`select to_jsonb(found) as lead from (
      select ${columnNames(names)} from lead
      where id_space = ${space} and id = any(${idArray(ids)})) found
    order by found.created_at, found.id`
  return rows.map(({ lead }) => lead)
}

/** Those of these leads that have more than this many bytes. */
export async function selectLong(
  db: Db,
  space: string,
  ids: string[],
  bytes: number,
): Promise<string[]> {
  const sizes = sized.map((name) => raw(`coalesce(octet_length(lead."${name}"::text), 0)`))
  const rows = await run<{ id: string }[]>(db)`select lead.id from lead
    where lead.id_space = ${space} and lead.id = any(${idArray(ids)}) and ${join(sizes, ' + ')} > ${bytes}::int`
  return rows.map(({ id }) => id)
}

/** The statuses that leads that stay get from the others: id_lead, id_status, id_list. In a list, their own stays. */
const unitedStatuses = (space: string, pairs: Sql) => sql`
  select distinct on (pair.id_into, had.id_list)
    pair.id_into as id_lead, had.id_status, had.id_list
  from (${pairs}) pair
  join lead_status had on had.id_space = ${space} and had.id_lead = pair.id
  where not exists (
    select from lead_status own where own.id_space = ${space} and own.id_lead = pair.id_into
      and own.id_list is not distinct from had.id_list)
  order by pair.id_into, had.id_list, had.entered_at desc nulls last, had.id_status`

/** For a preview. */
export const selectUnitedStatuses = (db: Db, space: string, merged: Pair[]) =>
  run<{ id_lead: string; id_status: string }[]>(db, unitedStatuses(space, pairsOf(merged)))

/** The one that stays gets the relations of the others. */
export async function uniteRelations(db: Db, by: Author, merged: Pair[]): Promise<void> {
  const { space } = by
  const pairs = pairsOf(merged)
  const plain = relationNames.filter(
    (name): name is Exclude<LeadRelation, 'status'> => name !== 'status',
  )
  for (const name of plain) {
    const { join: table, column } = leadRelations[name]
    const had = sql`select distinct pair.id_into as id_lead, had.${raw(column)} as id_record
      from (${pairs}) pair
      join ${raw(table)} had on had.id_space = ${space} and had.id_lead = pair.id`
    await connect(db, by, name, had)
  }
  await setStatuses(db, by, unitedStatuses(space, pairs))
}

/** What campaigns did and stages knew of them is known of the one that stays. */
export async function uniteHistory(db: Db, by: Author, merged: Pair[]): Promise<void> {
  const pairs = pairsOf(merged)
  await changeSteps(db, by, unitedSteps(by.space, pairs))
  await changeStays(db, by, 'add', staysOfMerged(by.space, pairs))
}

const idsOf = (pairs: Pair[]) => idArray(pairs.map(({ id }) => id))

/** The leads become part of others, with their notes and reminders. */
export async function mergeInto(db: Db, by: Author, merged: Pair[]): Promise<void> {
  if (merged.length === 0) return
  const { space } = by
  const pairs = pairsOf(merged)
  for (const record of ['note', 'reminder'] as const) {
    await moveToLeads(db, by, record, ofMerged(space, record, pairs))
  }
  const now = by.now.toISOString()
  await journalMerged(
    db,
    by,
    'lead.merged',
    pairs,
    sql`updated as (
      update lead set is_deleted = true, is_deleted_at = ${now}, updated_at = ${now},
        merged_into = pair.id_into
      from pair where lead.id_space = ${space} and lead.id = pair.id)`,
  )
  await forgetKeys(db, space, idsOf(merged))
}

/** The leads come back, as in markRestored. */
export async function takeOut(db: Db, by: Author, merged: Pair[]): Promise<void> {
  if (merged.length === 0) return
  await journalMerged(
    db,
    by,
    'lead.restored',
    pairsOf(merged),
    sql`updated as (
      update lead set is_deleted = false, is_deleted_at = null, merged_into = null,
        company_claim = null, updated_at = ${by.now.toISOString()}
      from pair where lead.id_space = ${by.space} and lead.id = pair.id)`,
  )
  await refreshKeys(db, by.space, idsOf(merged))
}

export interface Reference {
  id: string
  /** Attribute → lead. Null: it would refer to itself. */
  attributes: Record<string, string | null>
}

/** The leads whose attributes refer to a lead that is merged, and what they refer to then. */
export function selectReferring(db: Db, space: string, merged: Pair[]): Promise<Reference[]> {
  const pairs = pairsOf(merged)
  return run<Reference[]>(db)`select lead.id, jsonb_object_agg(
      attribute.id, case when lead.id <> pair.id_into then pair.id_into end) as attributes
    from (${pairs}) pair
    cross join (
      select id from attribute
      where id_space = ${space} and type = any(${typesWithCell('lead')}::text[])) attribute
    cross join lateral (
      select lead.id from lead
      where lead.id_space = ${space} and not lead.is_deleted and lead.attributes <> '{}'
        and lead.attributes @> jsonb_build_object(attribute.id, pair.id)) lead
    group by lead.id`
}

/** The people of companies that are merged under another name, with the new one. */
export async function selectPeople(
  db: Db,
  space: string,
  names: { before: string; after: string }[],
): Promise<{ id: string; company: string }[]> {
  if (names.length === 0) return []
  return run<{ id: string; company: string }[]>(db)`select lead.id, name.after as company
    from unnest(${names.map(({ before }) => before)}::text[], ${names.map(({ after }) => after)}::text[])
      as name (before, after)
    join lead on lead.id_space = ${space} and not lead.is_deleted and not lead.is_company
      and ${companyKey} = name.before
    where lead.company <> name.after`
}

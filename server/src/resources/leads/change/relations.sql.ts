// Adds records to leads and removes them: lists, statuses, tags, owners, campaigns. Each statement works
// on a whole set and journals what it did. The leads are locked already.
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journal, runJournaled } from '../../../feed/journal.sql.ts'
import { defaultPlaceOfLead, replaceStatus } from './place.sql.ts'
import { endStays } from './stays.sql.ts'

export type Pair = [lead: string, record: string]

/**
 * Ids travel as one text, which is faster than an array parameter. Join with it: a condition
 * `= any(…)` may parse the text again for every row of the table.
 */
export const idArray = (ids: string[]) => sql`${`{${ids.join(',')}}`}::text::uuid[]`

/** Queries of pairs: every lead with every record, or the given ones. */
export const everyPair = (leads: string, records: string[]) =>
  sql`select id_lead, id_record
    from unnest(${leads}::uuid[]) as id_lead, unnest(${records}::uuid[]) as id_record`
export const thesePairs = (pairs: Pair[]) =>
  sql`select id_lead, id_record
    from unnest(${idArray(pairs.map(([lead]) => lead))}, ${idArray(pairs.map(([, id]) => id))})
      as pair (id_lead, id_record)`

/** The records that each lead lost or got, as the columns id, old and new of a journal. `rows` may repeat a pair. */
export function setsOf(relation: LeadRelation, rows: Sql, side: 'lost' | 'got'): Sql {
  const none = sql`jsonb_build_object(${relation}::text, '[]'::jsonb)`
  const some = sql`jsonb_build_object(${relation}::text,
    jsonb_agg(distinct id_record order by id_record))`
  const [old, after] = side === 'got' ? [none, some] : [some, none]
  return sql`select id_lead as id, ${old} as old, ${after} as new from ${rows} group by id_lead`
}

/** Adds records to leads. Returns how many leads did not have all of theirs before. */
export function connect(
  db: Db,
  by: Author,
  relation: Exclude<LeadRelation, 'status'>,
  pairs: Sql,
): Promise<number> {
  const { join: table, column } = leadRelations[relation]
  const missing = sql`(select id_lead, id_record from (${pairs}) wanted
    where (select count(*) from ${raw(table)} known where known.id_space = ${by.space}
      and known.id_lead = wanted.id_lead and known.${raw(column)} = wanted.id_record) = 0) missing`
  const added = sql`added as (
    insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
    select ${by.space}::uuid, wanted.id_lead, wanted.id_record from (${pairs}) wanted
    on conflict do nothing)`
  return runJournaled(db, [], journal(by, relation, setsOf(relation, missing, 'got')), [added])
}

export interface StatusEntry {
  lead: string
  id: string
  id_list: string | null
}

/** Queries of statuses: for every lead these, or the given entries. */
export const everyStatus = (leads: string, statuses: Omit<StatusEntry, 'lead'>[]) =>
  sql`select id_lead, wanted.id as id_status, wanted.id_list
    from unnest(${leads}::uuid[]) as id_lead,
      unnest(${statuses.map(({ id }) => id)}::uuid[], ${statuses.map(({ id_list }) => id_list)}::uuid[])
        as wanted (id, id_list)`
export const theseStatuses = (entries: StatusEntry[]) =>
  sql`select id_lead, id_status, id_list
    from unnest(${idArray(entries.map(({ lead }) => lead))}, ${idArray(entries.map(({ id }) => id))},
        ${idArray(entries.map(({ id_list }) => id_list ?? 'null'))})
      as entry (id_lead, id_status, id_list)`

const insertStatuses = ({ space, now }: Author, wanted: Sql) =>
  sql`insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
    select ${space}::uuid, lead.id, wanted.id_status, wanted.id_list, ${now.toISOString()}::timestamptz,
      ${defaultPlaceOfLead}
    from (${wanted}) wanted
    join lead on lead.id_space = ${space} and lead.id = wanted.id_lead`

/** Puts leads into statuses. Each replaces another status of its list. The leads are in the lists. */
export function setStatuses(db: Db, by: Author, wanted: Sql): Promise<number> {
  const before = sql`(
    select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
    from (${wanted}) wanted
    left join lead_status on lead_status.id_space = ${by.space}
      and lead_status.id_lead = wanted.id_lead
      and lead_status.id_list is not distinct from wanted.id_list) before`
  const ended = endStays(
    by,
    sql`select id_lead, id_before as id_status, entered_at from ${before} where id_before <> id_status`,
  )
  const written = sql`written as (${insertStatuses(by, wanted)} ${replaceStatus})`
  const changes = sql`
    select id_lead as id,
      jsonb_build_object('status', coalesce(
        jsonb_agg(id_before order by id_before) filter (where id_before is not null), '[]')) as old,
      jsonb_build_object('status', jsonb_agg(id_status order by id_status)) as new
    from ${before} where id_before is distinct from id_status group by id_lead`
  return runJournaled(db, [], journal(by, 'status', changes), [ended, written])
}

/** The first status of a list with auto_status. */
export interface Start {
  id: string
  id_list: string
}

/** Those of these lists. */
export async function selectStarts(db: Db, space: string, lists: string[]): Promise<Start[]> {
  return lists.length > 0 ? run<Start[]>(db, startsOf(space, lists)) : []
}

/** The query of `selectStarts`. */
export function startsOf(space: string, lists: string[]): Sql {
  return sql`select distinct on (status.id_list) status.id, status.id_list
    from list join status on status.id_space = ${space} and status.id_list = list.id
    where list.id_space = ${space} and list.id = any(${lists}::uuid[]) and list.auto_status
    order by status.id_list, status."order", status.id`
}

/**
 * Adds leads to lists. A lead that joins a list of `starts` gets its first status. Returns how many leads were
 * not in all of theirs before.
 */
export async function joinLists(db: Db, by: Author, pairs: Sql, starts: Start[]): Promise<number> {
  if (starts.length === 0) return connect(db, by, 'lists', pairs)
  const [joining] = await run<[{ leads: string; statuses: string; lists: string }]>(db)`
    select coalesce(array_agg(wanted.id_lead), '{}')::text as leads,
      coalesce(array_agg(start.id), '{}')::text as statuses,
      coalesce(array_agg(start.id_list), '{}')::text as lists
    from (${pairs}) wanted
    join unnest(${idArray(starts.map(({ id }) => id))}, ${idArray(starts.map(({ id_list }) => id_list))})
      as start (id, id_list) on start.id_list = wanted.id_record
    where not exists (
      select 1 from lead_list where lead_list.id_space = ${by.space}
        and lead_list.id_lead = wanted.id_lead and lead_list.id_list = wanted.id_record)`
  const changed = await connect(db, by, 'lists', pairs)
  const { leads, statuses, lists } = joining
  if (leads === '{}') return changed
  const wanted = sql`select id_lead, id_status, id_list
    from unnest(${leads}::text::uuid[], ${statuses}::text::uuid[], ${lists}::text::uuid[])
      as entry (id_lead, id_status, id_list)`
  // Somebody else may have given them another one in the meantime.
  const missing = sql`(select id_lead, id_status as id_record from (${wanted}) wanted
    where (select count(*) from lead_status where lead_status.id_space = ${by.space}
      and lead_status.id_lead = wanted.id_lead and lead_status.id_list = wanted.id_list) = 0) missing`
  const added = sql`added as (${insertStatuses(by, wanted)} on conflict do nothing)`
  await runJournaled(db, [], journal(by, 'status', setsOf('status', missing, 'got')), [added])
  return changed
}

/**
 * Removes rows of a relation. `which` is a condition on its join table. Returns how many leads had one.
 * Leaving a list drops its statuses.
 */
export async function disconnect(
  db: Db,
  by: Author,
  relation: LeadRelation,
  which: Sql,
): Promise<number> {
  const { join: table, column } = leadRelations[relation]
  const rowsOf = (name: string) => sql`from ${raw(name)} where id_space = ${by.space} and ${which}`
  const lost = (record: string, rows: Sql) =>
    sql`(select id_lead, ${raw(record)} as id_record ${rows}) lost`
  const ended = (rows: Sql) => endStays(by, sql`select id_lead, id_status, entered_at ${rows}`)
  if (relation === 'lists') {
    const own = sql`${rowsOf('lead_status')} and id_list is not null`
    const dropped = setsOf('status', lost('id_status', own), 'lost')
    await runJournaled(db, [], journal(by, 'status', dropped), [ended(own)])
  }
  const own = rowsOf(table)
  const gone = sql`gone as (delete ${own})`
  const after = relation === 'status' ? [ended(own), gone] : [gone]
  return runJournaled(
    db,
    [],
    journal(by, relation, setsOf(relation, lost(column, own), 'lost')),
    after,
  )
}

/** For `disconnect`: these records of these leads, or all others. */
export function ofLeads(
  leads: string,
  relation: LeadRelation,
  records: string[],
  which: 'these' | 'all others' = 'these',
): Sql {
  const column = raw(leadRelations[relation].column)
  const matches =
    which === 'these' ? sql`= any(${records}::uuid[])` : sql`<> all(${records}::uuid[])`
  return sql`id_lead = any(${leads}::uuid[]) and ${column} ${matches}`
}

// What a change of many leads leaves behind: events for the change feed and, if it is an operation, the
// values before and after. The statement itself writes both, so that the values never leave the database.
import type { EventType } from '@rapport/contract'
import type { LeadRelation } from '@rapport/contract/leads/relations'
import type { Db } from '../db/driver.ts'
import { join, raw, run, type Sql, sql } from '../db/sql.ts'
import type { Author } from './author.ts'
import { cutSql, insertEvents, maxIds } from './record.sql.ts'

/** Up to this number of different changes, each has its own events with its values. */
const maxGroups = 100

/** If no more leads than this share their values on average, many leads are stored in one row. */
const packedGroup = 10

/**
 * What a step of an operation did. The name of a relation: records that leads lost and got. place: a lead was
 * moved on a board. made, removed: records other than leads.
 */
export type What = 'fields' | 'kept' | 'place' | 'made' | 'removed' | WholeChange | LeadRelation
/** Something happened to leads as a whole, to notes or reminders, or to what leads have only when they are merged. */
export type WholeChange = LeadsAsWhole | 'notes' | 'reminders' | MergeChange
type LeadsAsWhole = 'created' | 'deleted' | 'restored'
/**
 * merged: leads became part of others, or came back. note_leads, reminder_leads: they went to another lead. steps:
 * what campaigns did. stays: earlier stays in stages.
 */
export type MergeChange = 'merged' | 'note_leads' | 'reminder_leads' | 'steps' | 'stays'
/** Holds for a step whose ids are those of leads that it changed. */
export const changedLeads = sql`what not in (
  'kept', 'notes', 'reminders', 'note_leads', 'reminder_leads', 'made', 'removed')`

/**
 * The parts of a statement that write the journal of a change. `changes` is a query with the columns
 * `id`, `old` and `new`, one row for each lead that may change; rows with equal values do not count.
 * Put `journal` after the other parts of the WITH clause, and select `changedCount` at the end.
 */
export function journal(by: Author, what: What, changes: Sql): Sql {
  return journalOf(
    by,
    what,
    sql`select old, new, array_agg(id order by id) as ids from (${changes}) change group by old, new`,
  )
}

/** The same for a query with the columns `old`, `new` and `ids`: leads with equal values in one row. */
export function journalOf(by: Author, what: What, groups: Sql): Sql {
  const exact = sql`
    select grouped.ids[place + 1 : place + ${raw(String(maxIds))}] as ids, null::uuid[] as leads,
      ${changedSql(raw('grouped'))} as changed
    from grouped, generate_series(0, cardinality(grouped.ids) - 1, ${raw(String(maxIds))}) place
    where grouped.groups <= ${raw(String(maxGroups))}`
  const various = sql`
    select array_agg(id), null::uuid[], null::jsonb
    from (
      select id, (row_number() over (order by id) - 1) / ${raw(String(maxIds))} as chunk
      from (select unnest(ids) as id from grouped where groups > ${raw(String(maxGroups))}) each) numbered
    group by chunk`
  const isPacked = sql`(groups > ${raw(String(maxGroups))} and leads <= groups * ${raw(String(packedGroup))})`
  const packed = sql`
    select false as is_packed, old, new, ids from grouped where not ${isPacked}
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / ${raw(String(maxIds))} as chunk
      from grouped, unnest(ids) as id where ${isPacked}) numbered
    group by chunk`
  const grouped = sql`grouped as materialized (
    select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
    from (${groups}) alike where old is distinct from new)`
  return logged(by, 'lead.updated', what, grouped, packed, sql`${exact} union all ${various}`)
}

/**
 * The parts that write the queries `kept` and `events`. Both read the part `base`. On a cluster, an insert that reads
 * another part of its statement needs every node. So a change without an operation, such as that of a single lead,
 * has it within the query of its events.
 */
function logged(by: Author, type: EventType, what: What, base: Sql, kept: Sql, events: Sql): Sql {
  const log = (rows: Sql) =>
    sql`logged as (${insertEvents(by, type, rows)} returning cardinality(ids) as leads)`
  return by.operation
    ? sql`${base}, ${keep(by, what, kept)} ${log(events)}`
    : log(sql`with ${base} ${events}`)
}

/** The `changed` of an event, from a row with the columns `old` and `new`. */
export function changedSql(row: Sql): Sql {
  const [old, after] = [sql`(${row}.old -> name)`, sql`(${row}.new -> name)`]
  return sql`(
    select jsonb_object_agg(name, jsonb_build_array(${cutSql(old)}, ${cutSql(after)}))
    from jsonb_object_keys(${row}.new) name where ${old} is distinct from ${after})`
}

/** How many leads changed, after `journal`. */
export const changedCount = sql`select coalesce(sum(leads), 0)::int as changed from logged`

/** A part that keeps a step of the operation, if there is one. Ends with a comma. */
export function keep({ space, operation }: Author, what: What, rows: Sql): Sql {
  if (!operation) return sql``
  operation.steps++
  return sql`kept as (
    insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
    select ${space}::uuid, ${operation.id}::uuid, ${operation.steps}::int,
      row_number() over ()::int, ${what}, step.is_packed, step.old, step.new, step.ids
    from (${rows}) step),`
}

/**
 * Runs a statement that consists of these parts and a journal. Returns how many leads changed. A part that
 * changes what the journal reads is one of `after`: a distributed database runs parts one after the other,
 * and each sees what those before it have written.
 */
export async function runJournaled(
  db: Db,
  parts: Sql[],
  journaled: Sql,
  after: Sql[] = [],
): Promise<number> {
  const [row] = await run<[{ changed: number }]>(db)`
    with ${join([...parts, journaled, ...after], ', ')} ${changedCount}`
  return row.changed
}

/**
 * Journals a change that the ids alone describe. `rows` is a query with the columns `ids`, `old` and
 * `new`.
 */
export async function journalIds(db: Db, by: Author, what: LeadsAsWhole, rows: Sql): Promise<void> {
  const type: EventType = `lead.${what}`
  const chunks = sql`
    select found.ids[place + 1 : place + ${raw(String(maxIds))}] as ids, null::uuid[] as leads,
      null::jsonb as changed
    from found, generate_series(0, cardinality(found.ids) - 1, ${raw(String(maxIds))}) place`
  const kept = sql`select false as is_packed, old, new, ids from found`
  await run(db)`
    with ${logged(by, type, what, sql`found as materialized (${rows})`, kept, chunks)} select 1`
}

/**
 * Journals notes that a statement makes, deletes or brings back. `made` is the part of that name, with
 * the columns id, id_lead and is_deleted.
 */
export async function journalNotes(db: Db, by: Author, made: Sql): Promise<void> {
  const chunks = (deleted: boolean) => sql`
    select array_agg(id) as ids, array_agg(distinct id_lead) as leads, null::jsonb as changed
    from (
      select id, id_lead, (row_number() over () - 1) / ${raw(String(maxIds))} as chunk
      from made where is_deleted = ${deleted}) numbered
    group by chunk`
  await run(db)`with ${made},
    ${keep(
      by,
      'notes',
      sql`select false as is_packed, null::jsonb as old, jsonb_build_object('is_deleted', is_deleted) as new,
        array_agg(id) as ids from made group by is_deleted`,
    )}
    logged as (${insertEvents(by, 'note.created', chunks(false))}),
    unlogged as (${insertEvents(by, 'note.deleted', chunks(true))})
    select 1`
}

/**
 * Journals reminders that members lost or got. One of the parts is `moved`, with the columns id, id_lead, lost
 * and got: members, or null.
 */
export async function journalReminders(db: Db, by: Author, parts: Sql): Promise<void> {
  const users = (id: string) =>
    sql`case when ${raw(id)} is null then '[]'::jsonb else jsonb_build_array(${raw(id)}) end`
  const value = (id: string) => sql`jsonb_build_object('users', ${users(id)})`
  const chunks = sql`
    select array_agg(id) as ids,
      coalesce(array_agg(distinct id_lead) filter (where id_lead is not null), '{}') as leads,
      jsonb_build_object('users', jsonb_build_array(${users('lost')}, ${users('got')})) as changed
    from (
      select id, id_lead, lost, got,
        (row_number() over (partition by lost, got) - 1) / ${raw(String(maxIds))} as chunk
      from moved) numbered
    group by lost, got, chunk`
  await run(db)`with ${parts},
    ${keep(
      by,
      'reminders',
      sql`select false as is_packed, ${value('lost')} as old, ${value('got')} as new, array_agg(id) as ids
        from moved group by lost, got`,
    )}
    logged as (${insertEvents(by, 'reminder.updated', chunks)})
    select 1`
}

/**
 * Journals that leads became part of others, or came back from them, and does it. `pairs` is a query with the columns
 * id and id_into. The part `update` reads it as `pair`. Returns the number of leads.
 */
export function journalMerged(
  db: Db,
  by: Author,
  type: 'lead.merged' | 'lead.restored',
  pairs: Sql,
  update: Sql,
): Promise<number> {
  const isMerged = type === 'lead.merged'
  const [old, after] = isMerged ? ['null', 'id_into'] : ['id_into', 'null']
  const value = (id: string) => sql`jsonb_build_object('merged_into', ${raw(id)})`
  const grouped = sql`pair as materialized (${pairs}), grouped as materialized (
    select id_into, array_agg(id order by id) as ids from pair group by id_into)`
  const kept = sql`select false as is_packed, ${value(old)} as old, ${value(after)} as new, ids from grouped`
  // The histories of both have it. A lead that came back has its own.
  const events = sql`
    select ids, ${raw(isMerged ? 'ids || id_into' : 'null::uuid[]')} as leads,
      jsonb_build_object('merged_into', jsonb_build_array(${raw(old)}, ${raw(after)})) as changed
    from grouped`
  const logged = sql`${keep(by, 'merged', kept)}
    logged as (${insertEvents(by, type, events)} returning cardinality(ids) as leads)`
  return runJournaled(db, [grouped], logged, [update])
}

/** Journals that notes or reminders went to other leads. `moved` is the part of that name: id, lost, got, is_deleted. */
export async function journalMoved(
  db: Db,
  by: Author,
  record: 'note' | 'reminder',
  moved: Sql,
): Promise<void> {
  const value = (id: string) => sql`jsonb_build_object('id_lead', ${raw(id)})`
  const chunks = sql`
    select array_agg(id) as ids, array[lost, got] as leads,
      jsonb_build_object('id_lead', jsonb_build_array(lost, got)) as changed
    from (
      select id, lost, got,
        (row_number() over (partition by lost, got) - 1) / ${raw(String(maxIds))} as chunk
      from moved where not is_deleted) numbered
    group by lost, got, chunk`
  await run(db)`with ${moved},
    ${keep(
      by,
      `${record}_leads`,
      sql`select false as is_packed, ${value('lost')} as old, ${value('got')} as new,
        array_agg(id) as ids from moved group by lost, got`,
    )}
    logged as (${insertEvents(by, `${record}.updated`, chunks)})
    select 1`
}

/** A jsonb object of these names and expressions. PostgreSQL takes at most 100 arguments. */
export function jsonObject(entries: [name: string, value: Sql][]): Sql {
  const pieces: Sql[] = []
  for (let first = 0; first < entries.length; first += 45) {
    const piece = entries
      .slice(first, first + 45)
      .map(([name, value]) => sql`${name}::text, ${value}`)
    pieces.push(sql`jsonb_build_object(${join(piece, ', ')})`)
  }
  return pieces.length === 0 ? sql`'{}'::jsonb` : sql`(${join(pieces, ' || ')})`
}

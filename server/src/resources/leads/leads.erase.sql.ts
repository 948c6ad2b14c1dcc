// Erases leads for good: the rows, what belongs to them, and their values wherever the service keeps
// them besides. The leads are locked already.
import type { Db } from '../../db/driver.ts'
import { run, type Sql, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { insertEvents, maxIds } from '../../feed/record.sql.ts'

export interface Erased {
  leads: number
  notes: number
  reminders: number
}

/** The counter is the caller's to change. `ids` is one text, as pickLeads returns it. */
export async function eraseLeads(db: Db, by: Author, ids: string): Promise<Erased> {
  const { space } = by
  const erased = sql`${ids}::uuid[]`
  const count = async (statement: Sql) => (await run(db, statement)).length
  const ofLeads = sql`id_space = ${space} and id_lead = any(${erased})`
  const notes = await count(sql`delete from note where ${ofLeads} returning id`)
  const reminders = await count(sql`delete from reminder where ${ofLeads} returning id`)
  const leads = await count(
    sql`delete from lead where id_space = ${space} and id = any(${erased}) returning id`,
  )
  await forgetAnswers(db, space, erased)
  await forgetBefores(db, space, erased)
  // New events first: what the sequencer moves meanwhile is found in the other table.
  for (const table of [sql`event_new`, sql`event`]) await forgetEvents(db, space, table, erased)
  await run(
    db,
    insertEvents(
      by,
      'lead.erased',
      sql`select array_agg(id) as ids, null::uuid[] as leads, null::jsonb as changed
        from (
          select id, (row_number() over () - 1) / ${maxIds}::int as chunk
          from unnest(${erased}) as id) numbered
        group by chunk`,
    ),
  )
  return { leads, notes, reminders }
}

/**
 * Events of these leads lose their values. An event about several leads, which had equal values, keeps
 * them for the others and loses the id. The event stays: the numbers of the feed have no gaps.
 */
async function forgetEvents(db: Db, space: string, table: Sql, erased: Sql): Promise<void> {
  await run(
    db,
    sql`update ${table} set
        ids = case when leads is null and not (ids <@ ${erased})
          then array(select unnest(ids) except select unnest(${erased})) else ids end,
        changed = case when leads is null and not (ids <@ ${erased}) then changed end
      where id_space = ${space} and coalesce(leads, ids) && ${erased}
        and (leads is not null or type like 'lead.%')`,
  )
}

/** Operations that changed no other leads also lose what was asked for: it may name them. */
async function forgetBefores(db: Db, space: string, erased: Sql): Promise<void> {
  const touched = await run<{ id_operation: string }[]>(
    db,
    sql`update operation_before
      set ids = left_over.ids, old = left_over.old, new = left_over.new
      from (
        select kept.id_operation, kept.step, kept.part,
          coalesce(array_agg(each.id) filter (where each.id is not null), '{}') as ids,
          case when kept.is_packed then jsonb_agg(kept.old -> each.place) else kept.old end as old,
          case when kept.is_packed then jsonb_agg(kept.new -> each.place) else kept.new end as new
        from operation_before kept
        left join lateral (
          select id, (place - 1)::int as place
          from unnest(kept.ids) with ordinality as numbered (id, place)
          where not exists (select from unnest(${erased}) gone where gone = id)) each on true
        where kept.id_space = ${space} and kept.ids && ${erased}
        group by kept.id_space, kept.id_operation, kept.step, kept.part) left_over
      where operation_before.id_space = ${space}
        and operation_before.id_operation = left_over.id_operation
        and operation_before.step = left_over.step and operation_before.part = left_over.part
      returning operation_before.id_operation`,
  )
  const operations = [...new Set(touched.map(({ id_operation }) => id_operation))]
  await run(
    db,
    sql`delete from operation_before
      where id_space = ${space} and id_operation = any(${operations}::uuid[]) and ids = '{}'`,
  )
  await run(
    db,
    sql`update operation set filter = null, data = null
      where id_space = ${space} and id = any(${operations}::uuid[]) and id not in (
        select id_operation from operation_before
        where id_space = ${space} and id_operation = any(${operations}::uuid[]))`,
  )
}

/** Answers that are kept for repeated requests: that the request was done stays known. */
async function forgetAnswers(db: Db, space: string, erased: Sql): Promise<void> {
  await run(
    db,
    sql`update idempotency set answer = null
      where id_space = ${space} and answer is not null and exists (
        select from regexp_matches(answer, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') found
        where found[1]::uuid = any(${erased}))`,
  )
}

/** Locks up to `limit` leads that were deleted before a time. Returns their ids as one text. */
export async function pickDeletedBefore(
  db: Db,
  space: string,
  before: Date,
  limit: number,
): Promise<{ count: number; ids: string }> {
  const [row] = await run<[{ count: number; ids: string }]>(
    db,
    sql`select count(*)::int as count, coalesce(array_agg(id), '{}')::text as ids
      from (
        select id from lead
        where id_space = ${space} and is_deleted and is_deleted_at < ${before}
        order by id limit ${limit} for update skip locked) picked`,
  )
  return row
}

/** The workspaces with leads that were deleted before a time. */
export async function selectSpacesWithDeleted(db: Db, before: Date): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(
    db,
    sql`select distinct id_space from lead where is_deleted and is_deleted_at < ${before}`,
  )
  return rows.map(({ id_space }) => id_space)
}

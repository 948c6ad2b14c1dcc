// Erases leads permanently: the rows, what belongs to them, and their values wherever
// else they are stored.
import type { Db } from '../../../db/driver.ts'
import { acrossWorkspaces, raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { concernsAny } from '../../../feed/concerns.sql.ts'
import { insertEvents, maxIds } from '../../../feed/record.sql.ts'
import { partsOf } from '../row/merged.sql.ts'

export interface Erased {
  leads: number
  notes: number
  reminders: number
}

/** The advisory lock of a workspace between erasing leads and writing references to them. */
const eraseLock = 7_245_319

/** No lead of the workspace is erased until the transaction ends. */
export async function holdOffErasing(db: Db, space: string): Promise<void> {
  await run(db)`select pg_advisory_xact_lock_shared(${eraseLock}::int, hashtext(${space}))`
}

/** The same without waiting. False: leads are being erased. */
export async function tryHoldOffErasing(db: Db, space: string): Promise<boolean> {
  const [lock] = await run<[{ is_ours: boolean }]>(db)`
    select pg_try_advisory_xact_lock_shared(${eraseLock}::int, hashtext(${space})) as is_ours`
  return lock.is_ours
}

/**
 * Call it before the leads are picked: an import takes this lock first and then the leads, and two that take
 * them in opposite order would wait for each other.
 */
export async function lockForErasing(db: Db, space: string): Promise<void> {
  await run(db)`select pg_advisory_xact_lock(${eraseLock}::int, hashtext(${space}))`
}

/** Waiting mails may have names and texts, if their members want that. The link is kept. */
async function forgetMailed(db: Db, space: string, erased: Sql): Promise<void> {
  const isOfThem = sql`exists (
    select from unnest(${erased}) as lead (id) where item ->> 'path' = '/lead/' || lead.id)`
  await run(db)`update mail_out set content = jsonb_set(content, '{items}', (
      select jsonb_agg(case when ${isOfThem} then item - 'detail' else item end order by place)
      from jsonb_array_elements(content -> 'items') with ordinality as each (item, place)))
    where id_space = ${space} and exists (
      select from jsonb_array_elements(content -> 'items') as each (item)
      where item ? 'detail' and ${isOfThem})`
}

/**
 * The caller has called lockForErasing and picked the leads, and changes the counter. `ids` is one text, as
 * pickLeads returns it.
 */
export async function eraseLeads(db: Db, by: Author, ids: string): Promise<Erased> {
  const { space } = by
  const erased = sql`${ids}::uuid[]`
  const count = async (statement: Sql) => (await run(db, statement)).length
  const ofLeads = sql`id_space = ${space} and id_lead = any(${erased})`
  const notes = await count(sql`delete from note where ${ofLeads} returning id`)
  const reminders = await count(sql`delete from reminder where ${ofLeads} returning id`)
  await run(db)`delete from notification where ${ofLeads}`
  await run(db)`delete from lead_key where ${ofLeads}`
  await forgetMailed(db, space, erased)
  const leads = await count(
    sql`delete from lead where id_space = ${space} and id = any(${erased}) returning id`,
  )
  const sharing = await selectSharing(db, space, erased)
  const operations = await forgetBefores(db, space, erased)
  // New events first: what the sequencer moves in the meantime is found in the other table.
  const tables = ['event_new', 'event'] as const
  for (const table of tables) operations.push(...(await forgetEvents(db, space, table, erased)))
  if (sharing.operations.length > 0) {
    const had = sql`${sharing.leads}::uuid[]`
    await forgetBefores(db, space, had, sharing.operations)
    for (const table of tables) await forgetEvents(db, space, table, had, sharing.operations)
  }
  await forgetReceived(db, space, erased)
  const forgotten = await forgetWanted(db, by, operations)
  await forgetAnswers(db, space, sql`(${erased} || ${forgotten}::uuid[])`)
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
 * Locks rows. Another transaction may be taking other leads out of the same rows: a statement that waited
 * for it would write what it had read before, and bring those back. The next statement sees what is left.
 */
async function lockRows(db: Db, table: Sql, which: Sql, key: Sql): Promise<void> {
  await run(db)`select count(*) from (
      select from ${table} where ${which} order by ${key} for update) locked`
}

/**
 * Leads that had values of these ones while they were merged, and the operations that gave and took them. Those that are
 * still merged are erased themselves.
 */
async function selectSharing(db: Db, space: string, erased: Sql) {
  const [row] = await run<[{ leads: string[]; operations: string[] }]>(db)`
    select coalesce(array_agg(distinct id_into), '{}') as leads,
      coalesce(array_agg(distinct id_operation), '{}') as operations
    from (
      select id_operation, coalesce(new ->> 'merged_into', old ->> 'merged_into')::uuid as id_into
      from operation_value, unnest(ids) as each (id)
      where id_space = ${space} and what = 'merged' and each.id in (select unnest(${erased}))) merged`
  return row
}

/** All operations, or only these. */
const within = (operations: string[] | undefined) =>
  operations ? sql`and id_operation = any(${operations}::uuid[])` : sql``

/**
 * Events of these leads lose their values. An event about several leads, which had equal values, keeps
 * them for the others and loses the id. The event stays: the numbers of the feed have no gaps. Returns the
 * operations of these events.
 */
async function forgetEvents(
  db: Db,
  space: string,
  name: 'event_new' | 'event',
  erased: Sql,
  only?: string[],
): Promise<string[]> {
  const table = raw(name)
  const key = raw(name === 'event' ? 'seq' : 'id, part')
  const ofKey = raw(name === 'event' ? 'event.seq' : 'event_new.id, event_new.part')
  const which = sql`id_space = ${space} and ${concernsAny(erased)} ${within(only)}`
  await lockRows(db, table, which, key)
  const rows = await run<{ id_operation: string | null }[]>(db)`
    with gone as materialized (select unnest(${erased}) as id_gone),
    left_over as materialized (
      select ${ofKey}, array_agg(id_each order by place)
        filter (where leads is null and id_gone is null) as left_ids
      from ${table} cross join unnest(ids) with ordinality as each (id_each, place)
      left join gone on id_gone = id_each
      where ${which} group by ${ofKey})
    update ${table} set ids = coalesce(left_ids, ids),
      changed = case when left_ids is not null then changed end,
      -- A client may have chosen it, and named the lead in it.
      request_id = case when request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then request_id end
    from left_over
    where id_space = ${space} and (${ofKey}) = (${raw(name === 'event' ? 'left_over.seq' : 'left_over.id, left_over.part')})
    returning id_operation`
  return rows.flatMap(({ id_operation }) => id_operation ?? [])
}

/** Returns the operations that had values of these leads. */
async function forgetBefores(
  db: Db,
  space: string,
  erased: Sql,
  only?: string[],
): Promise<string[]> {
  // Joined, because arrays of many ids are slow to compare with each other.
  const which = sql`id_space = ${space} and (id_operation, step, part) in (
    select id_operation, step, part from operation_before, unnest(ids) as id
    where id_space = ${space} and id in (select unnest(${erased})) ${within(only)})`
  await lockRows(db, raw('operation_before'), which, raw('id_operation, step, part'))
  const packed = (side: string) =>
    raw(`jsonb_array_elements(case when is_packed then ${side} else '[]' end)`)
  const left = (side: string) =>
    raw(`case when is_packed then jsonb_agg(each_${side} order by place) filter (where id_gone is null)
      else ${side} end`)
  const touched = await run<{ id_operation: string }[]>(db)`
    with gone as materialized (select unnest(${erased}) as id_gone),
    left_over as materialized (
      select id_operation, step, part, ${left('old')} as old, ${left('new')} as new,
        coalesce(array_agg(id_each order by place) filter (where id_gone is null), '{}') as ids
      from operation_before
      cross join rows from (unnest(ids), ${packed('old')}, ${packed('new')})
        with ordinality as each (id_each, each_old, each_new, place)
      left join gone on id_gone = id_each
      where ${which} group by id_space, id_operation, step, part)
    update operation_before set ids = left_over.ids, old = left_over.old, new = left_over.new
    from left_over
    where operation_before.id_space = ${space}
      and operation_before.id_operation = left_over.id_operation
      and operation_before.step = left_over.step and operation_before.part = left_over.part
    returning operation_before.id_operation`
  // A merge moved notes and reminders of these leads.
  const moved = await run<{ id_operation: string }[]>(db)`delete from operation_before
    where id_space = ${space} and what in ('note_leads', 'reminder_leads')
      and array[(old ->> 'id_lead')::uuid, (new ->> 'id_lead')::uuid] && ${erased} ${within(only)}
    returning id_operation`
  const operations = [...new Set([...touched, ...moved].map(({ id_operation }) => id_operation))]
  await run(db)`delete from operation_before
    where id_space = ${space} and id_operation = any(${operations}::uuid[]) and ids = '{}'`
  return operations
}

/**
 * The request may name the erased leads. It is removed from those of these operations that have no values
 * of other leads, or none anymore, and from all that changed nothing: nobody knows which leads these
 * selected. Returns the operations.
 */
async function forgetWanted(
  db: Db,
  { space, now }: Author,
  operations: string[],
): Promise<string[]> {
  const touched = [...new Set(operations)]
  const rows = await run<{ id: string }[]>(db)`update operation set filter = null, data = null
    where id_space = ${space} and (filter is not null or data is not null)
      and (state <> 'running' or lease_until <= ${now.toISOString()})
      and (changed = 0 or id = any(${touched}::uuid[])) and id not in (
        select id_operation from operation_before
        where id_space = ${space} and id_operation = any(${touched}::uuid[])
          and what not in ('made', 'removed'))
    returning id`
  return rows.map(({ id }) => id)
}

/** What receivers of webhooks responded to events of the leads, and to tests, which may have had one of them. */
async function forgetReceived(db: Db, space: string, ids: Sql): Promise<void> {
  await run(db)`update webhook_attempt set answer = null
    where id_space = ${space} and answer is not null and (seq is null or seq in (
      select seq from event where id_space = ${space} and ${concernsAny(ids)}))`
}

/** Responses stored for retries: that the request was done is still known. */
async function forgetAnswers(db: Db, space: string, ids: Sql): Promise<void> {
  await run(db)`update idempotency set answer = null
    where id_space = ${space} and answer is not null and exists (
      select from regexp_matches(answer, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') found
      where found[1]::uuid = any(${ids}))`
}

/** Leads that were merged into these are erased with them: they are the same. `ids` is one text, as pickLeads returns it. */
export async function withMerged(db: Db, space: string, ids: string) {
  const [row] = await run<[{ count: number; ids: string }]>(db)`
    select count(*)::int as count, array_agg(part)::text as ids
    from (${partsOf(space, sql`${ids}::uuid[]`)}) whole`
  return row
}

/** Locks up to `limit` leads that were deleted before a time. Returns their ids as one text. */
export async function pickDeletedBefore(
  db: Db,
  space: string,
  before: Date,
  limit: number,
): Promise<{ count: number; ids: string }> {
  const [row] = await run<[{ count: number; ids: string }]>(db)`
    select count(*)::int as count, coalesce(array_agg(id), '{}')::text as ids
    from (
      select id from lead
      where id_space = ${space} and is_deleted and is_deleted_at < ${before} and merged_into is null
      order by id limit ${limit} for update skip locked) picked`
  return row
}

/** The workspaces with leads that were deleted before a time. */
export async function selectSpacesWithDeleted(db: Db, before: Date): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    ${acrossWorkspaces} select distinct id_space from lead
    where is_deleted and is_deleted_at < ${before} and merged_into is null`
  return rows.map(({ id_space }) => id_space)
}

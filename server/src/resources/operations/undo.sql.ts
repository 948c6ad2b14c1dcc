// What the statements that undo an operation share. Each lead gets a value back only if it still
// has the one that the operation set. What they do is journaled like every change, as steps of the undo.
import type { Db } from '../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'
import { concernedLeads, concernsLeads } from '../../feed/concerns.sql.ts'
import { changedLeads, journalNotes, type What } from '../../feed/journal.sql.ts'
import { isOf } from '../leads/change/pick.sql.ts'
import { moveReminders } from '../leads/change/reminders.sql.ts'
import type { OperationAuthor, OperationRow } from './store/operation.sql.ts'

/** What an operation did of one kind, in one or several steps. */
export interface Done {
  operation: string
  /** When it began. */
  since: string
  what: What
  steps: number
}

export function selectDone(
  db: Db,
  space: string,
  { id, created_at }: Pick<OperationRow, 'id' | 'created_at'>,
): Promise<Done[]> {
  return run<Done[]>(db)`
    select ${id}::text as operation, ${created_at}::text as since, what, count(distinct step)::int as steps
    from operation_before
    where id_space = ${space} and id_operation = ${id} and what <> 'kept'
    -- What belongs to merged leads goes back to them when they are there.
    group by what order by what <> 'merged'`
}

/**
 * Locks all leads of the operation at once, in the order of their ids, as every bulk change does. As an array: joined
 * without statistics, each lead may be compared with each id.
 */
export async function lockLeadsOf(db: Db, space: string, operation: string): Promise<void> {
  await run(db)`select count(*) from (
      select lead.id from lead
      where lead.id_space = ${space} and lead.id = any(array(
        select unnest(ids) from operation_before
        where id_space = ${space} and id_operation = ${operation} and ${changedLeads}))
      order by lead.id for no key update) locked`
}

export const valuesOf = (space: string, { operation, what }: Done) => sql`operation_value
  where operation_value.id_space = ${space} and operation_value.id_operation = ${operation}
    and operation_value.what = ${what}`

/** The leads of which something was done. */
const leadsOf = (space: string, done: Done) =>
  sql`select distinct unnest(ids) as id from operation_before
    where id_space = ${space} and id_operation = ${done.operation} and what = ${done.what}`

/** A part that notes leads of which something stays as it is. `leads` is a query with the column id. */
export function keptPart(name: string, by: OperationAuthor, reason: string, leads: Sql): Sql {
  const { space, operation } = by
  operation.steps++
  return sql`${raw(name)} as (
    insert into operation_before (id_space, id_operation, step, part, what, old, ids)
    select ${space}::uuid, ${operation.id}::uuid, ${operation.steps}::int, 1, 'kept',
      jsonb_build_object('reason', ${reason}::text), array_agg(distinct id)
    from (${leads}) lost having count(*) > 0)`
}

export const changedSince = 'changed since'
export const deletedSince = 'deleted since'

/** A part that notes leads that were deleted since, but not by this undo: those that an import created. */
export const deletedLeads = (by: OperationAuthor, done: Done) =>
  keptPart(
    'kept_deleted',
    by,
    `lead ${deletedSince}`,
    sql`select before.id from (${leadsOf(by.space, done)}) before
      where not exists (
        select from lead
        where lead.id_space = ${by.space} and lead.id = before.id and not lead.is_deleted)
      and before.id not in (
        select unnest(ids) from operation_before
        where id_space = ${by.space} and id_operation = ${by.operation.id} and what = 'deleted')`,
  )

/** The leads that are in this state, as one text. */
export async function selectLeadsOf(
  db: Db,
  space: string,
  of: Done,
  state: 'live' | 'deleted',
): Promise<{ count: number; ids: string }> {
  const [row] = await run<[{ count: number; ids: string }]>(db)`
    select count(*)::int as count, coalesce(array_agg(lead.id), '{}')::text as ids
    from (${leadsOf(space, of)}) before
    join lead on lead.id_space = ${space} and lead.id = before.id
    where ${isOf(state)}`
  return row
}

/**
 * The new leads that nobody has touched since: no event about them but those of the operation, of what has
 * been undone by now, of their undos and of the undos of these. Notes that others remain.
 */
export async function selectUntouched(
  db: Db,
  by: OperationAuthor,
  of: Done,
  sinceSeq: number,
): Promise<{ count: number; ids: string }> {
  const { space } = by
  const undone = await selectUndone(db, space, of)
  const own = [...(await selectChain(db, space, of.operation)), ...undone]
  const others = (table: string, condition: Sql) => sql`
    select unnest(${concernedLeads}) from ${raw(table)}
    where id_space = ${space} and ${condition} and ${concernsLeads}
      and (id_operation is null or id_operation <> all(${own}::uuid[]))`
  const touched = sql`touched (id) as materialized (
    ${others('event', sql`seq > ${sinceSeq}`)} union ${others('event_new', sql`true`)}
    union select unnest(ids) from operation_before
    where id_space = ${space} and id_operation = any(${undone}::uuid[]) and what = 'kept')`
  const live = sql`live as materialized (
    select lead.id from (${leadsOf(space, of)}) before
    join lead on lead.id_space = ${space} and lead.id = before.id and not lead.is_deleted)`
  const [row] = await run<[{ count: number; ids: string }]>(db)`with ${touched}, ${live},
    ${keptPart('kept_changed', by, changedSince, sql`select live.id from live where live.id in (select id from touched)`)}
    select count(*)::int as count, coalesce(array_agg(live.id), '{}')::text as ids from live
    where live.id not in (select id from touched)`
  return row
}

/** The operation, its undos and their undos. */
export const selectChain = (db: Db, space: string, operation: string) =>
  selectChains(db, space, sql`select ${operation}::uuid`)

/** The same of all others that began since, and are undone by now. */
const selectUndone = (db: Db, space: string, { operation, since }: Done) =>
  selectChains(
    db,
    space,
    sql`select id from operation
      where id_space = ${space} and id <> ${operation} and created_at >= ${since}::timestamptz
        and undo_of is null and undone_by is not null`,
  )

async function selectChains(db: Db, space: string, first: Sql): Promise<string[]> {
  const rows = await run<{ id: string }[]>(db)`with recursive own (id) as (
      ${first}
      union
      select operation.id from operation join own on operation.undo_of = own.id
      where operation.id_space = ${space})
    select id from own`
  return rows.map(({ id }) => id)
}

/** Notes that an import made go, and come back when that is undone. Edited ones stay. */
export async function undoNotes(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const { space } = by
  const changed = sql`made as (
    update note set is_deleted = not note.is_deleted, updated_at = ${by.now.toISOString()}
    from (select unnest(ids) as id, new from ${valuesOf(space, of)}) before
    where note.id_space = ${space} and note.id = before.id and not note.is_edited
      and note.is_deleted = (before.new ->> 'is_deleted')::boolean
    returning note.id, note.id_lead, note.is_deleted)`
  await journalNotes(db, by, changed)
}

/** Reminders go back to the members who had them, as far as they are still members. */
export async function undoReminders(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const member = (side: 'old' | 'new') => sql`(${raw(side)} -> 'users' ->> 0)::uuid`
  await moveReminders(
    db,
    by,
    sql`select unnest(ids) as id, ${member('new')} as lost, ${member('old')} as got
      from ${valuesOf(by.space, of)}`,
  )
}

/** How many leads got something back, and how many kept something, with the reasons. */
export async function countUndone(db: Db, space: string, undo: string) {
  const rows = await run<{ reason: string | null; leads: number }[]>(db)`
    select operation_before.old ->> 'reason' as reason, count(distinct id)::int as leads
    from operation_before, unnest(operation_before.ids) as id
    where operation_before.id_space = ${space} and operation_before.id_operation = ${undo}
      and operation_before.what = 'kept'
    group by operation_before.old ->> 'reason' order by 1`
  const [row] = await run<[{ undone: number; kept: number }]>(db)`
    select count(distinct id) filter (where ${changedLeads})::int as undone,
      count(distinct id) filter (where what = 'kept')::int as kept
    from operation_before, unnest(operation_before.ids) as id
    where operation_before.id_space = ${space} and operation_before.id_operation = ${undo}`
  return { ...row, reasons: rows as { reason: string; leads: number }[] }
}

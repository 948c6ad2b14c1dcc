// Undoes a merge of leads: the others come back with what was theirs. When that is undone, they are merged again.
import type { Db } from '../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'
import { isLiveRecord } from '../../references/references.sql.ts'
import { changeStays, changeSteps, moveToLeads } from '../leads/merge/belongings.sql.ts'
import { mergeInto, type Pair, takeOut } from '../leads/merge/merge.sql.ts'
import type { OperationAuthor } from './store/operation.sql.ts'
import { changedSince, type Done, deletedSince, keptPart, valuesOf } from './undo.sql.ts'

const idOf = (side: 'old' | 'new', name: string) => sql`(${raw(side)} ->> ${name})::uuid`

/** Returns by how many the number of leads changes. */
export async function undoMerged(db: Db, by: OperationAuthor, of: Done): Promise<number> {
  const { space } = by
  const before = (side: 'old' | 'new') => sql`(
    select unnest(ids) as id, ${idOf(side, 'merged_into')} as id_into from ${valuesOf(space, of)}
      and ${raw(side)} -> 'merged_into' <> 'null') before
    join lead on lead.id_space = ${space} and lead.id = before.id`
  const back = await run<Pair[]>(db)`
    select before.id, before.id_into as into from ${before('new')} and lead.merged_into = before.id_into`
  await takeOut(db, by, back)
  const again = sql`${before('old')} and not lead.is_deleted`
  const isThere = isLiveRecord(space, 'lead', raw('before.id_into'))
  const lost = sql`select before.id from ${again} where not ${isThere}`
  await run(db)`with ${keptPart('kept_into', by, `lead ${deletedSince}`, lost)} select 1`
  const merged = await run<Pair[]>(db)`
    select before.id, before.id_into as into from ${again} where ${isThere}`
  await mergeInto(db, by, merged)
  return back.length - merged.length
}

/** Notes and reminders go back with the leads that came back. Those that are elsewhere by now stay there. */
export async function undoMoves(
  db: Db,
  by: OperationAuthor,
  record: 'note' | 'reminder',
  of: Done,
): Promise<void> {
  const { space } = by
  const wanted = sql`
    select moved.id, moved.lost, moved.got
    from (
      select unnest(ids) as id, ${idOf('new', 'id_lead')} as lost, ${idOf('old', 'id_lead')} as got
      from ${valuesOf(space, of)}) moved
    where moved.got in (
      select unnest(ids) from operation_before
      where id_space = ${space} and id_operation = ${by.operation.id} and what = 'merged'
        and new -> 'merged_into' = 'null')`
  const table = raw(record)
  const elsewhere = sql`select wanted.got as id from (${wanted}) wanted
    join ${table} on ${table}.id_space = ${space} and ${table}.id = wanted.id
      and ${table}.id_lead is distinct from wanted.lost
      and ${table}.id_lead is distinct from wanted.got`
  await run(db)`with ${keptPart('kept_moved', by, changedSince, elsewhere)} select 1`
  await moveToLeads(db, by, record, wanted)
}

export function undoSteps(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const state = (side: 'old' | 'new') => sql`nullif(${raw(side)} -> step, 'null')`
  return changeSteps(
    db,
    by,
    sql`select had.id_lead, had.step::uuid as id_step, ${state('new')} as old, ${state('old')} as new
      from (
        select unnest(ids) as id_lead, jsonb_object_keys(operation_value.new) as step,
          operation_value.old, operation_value.new
        from ${valuesOf(by.space, of)}) had`,
  )
}

export async function undoStays(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const stays = (side: 'old' | 'new'): Sql => sql`
    select had.id_lead, stay.id_status, stay.entered_at, stay.left_at
    from (select unnest(ids) as id_lead, ${raw(side)} as had from ${valuesOf(by.space, of)}) had,
      jsonb_to_recordset(had.had -> 'stays')
        as stay (id_status uuid, entered_at timestamptz, left_at timestamptz)`
  await changeStays(db, by, 'remove', stays('new'))
  await changeStays(db, by, 'add', stays('old'))
}

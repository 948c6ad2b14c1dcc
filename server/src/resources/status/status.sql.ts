// Statements about statuses.
import { Status } from '@rapport/contract/status'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type Deleted, insertLast, type RowOf } from '../../db/rows.ts'
import { jsonb, run, runOne, sql } from '../../db/sql.ts'

export type StatusRow = RowOf<typeof Status, 'id_list'>
const columns = columnsOf(Status)

export const toStatus = (row: StatusRow) => ({ ...row, id_list: row.id_list ?? '' })

export type NewStatus = Pick<
  StatusRow,
  'id' | 'id_list' | 'name' | 'color' | 'success_rate' | 'type' | 'ai_enabled'
> & {
  /** Undefined: after the others of its list. */
  order: number | undefined
}

export function insertStatus(
  db: Db,
  space: string,
  status: NewStatus,
  now: Date,
): Promise<StatusRow> {
  const row = {
    ...{ id_space: space, ...status, icon: '', instructions: '' },
    ...{ ai_instructions_text: '', ai_rules_text: '' },
    ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
  }
  const ofItsList = sql`id_space = ${space} and id_list is not distinct from ${status.id_list}::uuid`
  return insertLast(db, 'status', row, ofItsList, columns)
}

export function selectStatuses(db: Db, space: string): Promise<StatusRow[]> {
  return run<StatusRow[]>(db)`select ${columns} from status where id_space = ${space}
    order by id_list nulls first, "order", id`
}

export interface StatusChange
  extends Partial<Pick<StatusRow, 'order' | 'success_rate' | 'name' | 'type' | 'color'>> {
  id: string
  leads_order?: unknown[] | null
}

/**
 * Locks statuses, so that no other request changes them in the meantime, and returns those that exist. Every
 * caller locks them in the order of their ids, so that two do not deadlock.
 */
export function lockStatuses(db: Db, space: string, ids: string[]): Promise<StatusRow[]> {
  return run<StatusRow[]>(db)`
    select ${columns} from status where id_space = ${space} and id = any(${ids}::uuid[])
    order by id for no key update`
}

/** Changes statuses, which the caller has locked, and returns them. */
export function updateStatuses(db: Db, space: string, changes: StatusChange[], now: Date) {
  // A field that was not sent is missing in its JSON object. A field that was sent as null is there.
  return run<StatusRow[]>(db)`with change as (
      select (value->>'id')::uuid as id_status, value
      from jsonb_array_elements(${jsonb(changes)})
    )
    update status set
      "order" = coalesce((change.value->>'order')::float8, status."order"),
      success_rate = coalesce((change.value->>'success_rate')::float8, status.success_rate),
      name = coalesce(change.value->>'name', status.name),
      color = coalesce(change.value->>'color', status.color),
      type = case when change.value ? 'type' then change.value->>'type' else status.type end,
      leads_order = case when change.value ? 'leads_order'
        then nullif(change.value->'leads_order', 'null'::jsonb) else status.leads_order end,
      updated_at = ${now}
    from change
    where status.id_space = ${space} and status.id = change.id_status
    returning ${columns}`
}

export function deleteStatus(db: Db, space: string, id: string): Promise<Deleted | undefined> {
  return runOne<Deleted>(db)`
    delete from status where id_space = ${space} and id = ${id} returning id, name`
}

export async function deleteStatusesOfList(db: Db, space: string, list: string): Promise<void> {
  await run(db)`delete from status where id_space = ${space} and id_list = ${list}`
}

// A change of one lead, from the change feed, and as an operation that can be undone.
import type { Way } from '@rapport/contract/actor'
import type { Db } from '../../db/driver.ts'
import { rowWriter, run, sql } from '../../db/sql.ts'
import { concernsAny } from '../../feed/concerns.sql.ts'
import type { What } from '../../feed/journal.sql.ts'

export interface LeadChangeEvent {
  seq: number
  type: 'lead.updated' | 'lead.deleted' | 'lead.restored'
  at: string
  id_member: string | null
  id_key: string | null
  way: Way
  request_id: string | null
  changed: Record<string, [before: unknown, after: unknown]> | null
  /** What the operation that the event is part of has kept of this lead, whole. */
  kept: Step[] | null
}

/** A part of a change, as operations keep it. */
export interface Step {
  what: What
  old: Record<string, unknown> | null
  new: Record<string, unknown> | null
}

/** The events of one request are near each other. */
const span = 1_000

/**
 * The event with this number, if it is a change of this lead that can be undone, and what else the same request
 * did to the lead, in order.
 */
export function selectChange(db: Db, space: string, lead: string, seq: number) {
  const isChange = sql`type in ('lead.updated', 'lead.deleted', 'lead.restored')
    and ${concernsAny(sql`array[${lead}::uuid]`)}`
  return run<LeadChangeEvent[]>(db)`
    select event.seq, event.type, event.at, event.id_member, event.id_key, event.way, event.request_id,
      event.changed, (
        select jsonb_agg(jsonb_build_object('what', what, 'old', old, 'new', new))
        from operation_value
        where operation_value.id_space = ${space}
          and operation_value.id_operation = event.id_operation and operation_value.step = event.step
          and operation_value.what <> 'kept' and ${lead}::uuid = any(operation_value.ids)) as kept
    from event
    join (
      select seq, request_id, at from event
      where id_space = ${space} and seq = ${seq} and ${isChange}) wanted
      on wanted.seq = event.seq
        or wanted.request_id = event.request_id and wanted.at = event.at
    where event.id_space = ${space} and ${isChange}
      and event.seq between ${seq - span}::bigint and ${seq + span}::bigint
    order by event.seq`
}

/** Each step of a change of one lead, in order. */
export async function insertSteps(
  db: Db,
  space: string,
  operation: string,
  lead: string,
  steps: Step[],
): Promise<void> {
  const rows = steps.map((step, at) => ({
    ...{ ...step, id_operation: operation, step: at + 1, part: 1, ids: [lead] },
  }))
  await run(db)`${writeSteps(space, rows)}`
}

const writeSteps = rowWriter('operation_before', {
  ...{ id_operation: 'uuid', step: 'int', part: 'int', what: 'text' },
  ...{ old: 'jsonb', new: 'jsonb', ids: 'uuid[]' },
})

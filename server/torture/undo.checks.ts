// What must hold for all operations of a workspace, whatever was killed.
import type { Pool } from '../src/db/driver.ts'
import { run, type Sql, sql } from '../src/db/sql.ts'
import { Breach } from './torture.ts'

/** Returns how many operations are done. */
export async function checkOperations(db: Pool, space: string): Promise<number> {
  // The leads that each operation changed, as its old values tell it, and as the feed tells it.
  const kept = sql`
    select distinct id_operation, id
    from operation_before, unnest(ids) as id
    where operation_before.id_space = ${space} and what not in ('kept', 'notes')`
  const told = sql`
    select distinct id_operation, id
    from (
      select id_space, type, id_operation, ids from event
      union all select id_space, type, id_operation, ids from event_new) all_events, unnest(ids) as id
    where id_space = ${space} and id_operation is not null and type like 'lead.%'`
  const faults: Record<string, Sql> = {
    'changes without values before': sql`${told} except ${kept}`,
    'values before without a change': sql`${kept} except ${told}`,
    'operations that are not done and have changed leads': sql`
      select id from operation
      where id_space = ${space} and state <> 'done' and kind <> 'import'
        and id in (select id_operation from (${kept}) kept)`,
    'operations that tell another number of leads than they changed': sql`
      select operation.id
      from operation
      left join (select id_operation, count(*) as leads from (${kept}) each group by id_operation) kept
        on kept.id_operation = operation.id
      where operation.id_space = ${space} and operation.state = 'done' and operation.kind <> 'import'
        and operation.changed <> coalesce(kept.leads, 0)`,
    'undos that their operation does not know': sql`
      select operation.id
      from operation
      left join operation undo on undo.id_space = ${space} and undo.id = operation.undone_by
      where operation.id_space = ${space} and operation.undone_by is not null
        and (undo.undo_of is distinct from operation.id or undo.state <> 'done')`,
    'wrong counters of leads': sql`
      select 1
      where (select coalesce(sum(count), 0) from lead_count where id_space = ${space})
        <> (select count(*) from lead where id_space = ${space} and not is_deleted)`,
  }
  for (const [fault, query] of Object.entries(faults)) {
    const found = await run(db, query)
    if (found.length > 0) {
      throw new Breach(`${found.length} ${fault}, such as ${JSON.stringify(found[0])}`)
    }
  }
  const done = await run(db)`select from operation where id_space = ${space} and state = 'done'`
  return done.length
}

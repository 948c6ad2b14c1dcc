// How many leads a workspace has: kept up by whoever creates or deletes leads, read by the lists.
import type { Db } from '../../db/connect.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'

/** More than connections that write at a time, most of the time. */
const slots = 64

/** Adds what the query answers: one row with a column `count`, or none. */
export function addToCount(space: string, count: Sql): Sql {
  return sql`
    insert into lead_count (id_space, slot, count)
    select ${space}::uuid, pg_backend_pid() % ${slots}::int, added.count from (${count}) added
    on conflict (id_space, slot) do update set count = lead_count.count + excluded.count`
}

/** To be called last in a transaction: others on the same slot wait until it ends. */
export async function changeCount(db: Db, space: string, by: number): Promise<void> {
  if (by !== 0) await run(db, addToCount(space, sql`select ${by}::bigint as count`))
}

/** All leads of the workspace. This and the next: a subquery, one number. */
export function leadCount(space: Sql): Sql {
  return sql`(select coalesce(sum(count), 0)::bigint from lead_count where id_space = ${space})`
}

/** The leads of one list, tag, …: its rows without those of deleted leads. */
export function relatedCount(
  space: string,
  { table, other }: { table: string; other: string },
  id: string,
): Sql {
  const rows = sql`from ${raw(table)} where id_space = ${space} and ${raw(other)} = ${id}::uuid`
  return sql`((select count(*) ${rows}) - (
    select count(*) from lead
    where lead.id_space = ${space} and lead.is_deleted and lead.id in (select id_lead ${rows})))`
}

/** Whatever the condition selects. */
export function selectedCount(space: string, condition: Sql): Sql {
  return sql`(
    select count(*) from lead
    where lead.id_space = ${space} and not lead.is_deleted and (${condition}))`
}

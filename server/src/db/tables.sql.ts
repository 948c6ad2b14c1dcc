// What the catalog of the database knows about the tables of Rapport. Tables of a new migration are found
// there without a change to this code.
import type { Db } from './driver.ts'
import { run } from './sql.ts'

/** Belongs to workspaces, but refers to nothing: checking that would take longer than writing its rows. */
export const unreferring = 'lead_key'

/**
 * The tables that belong to workspaces: the table of workspaces, then those that refer to it, directly or
 * through others. Parents come before children.
 */
export async function selectTenantTables(db: Db): Promise<string[]> {
  const rows = await run<{ name: string }[]>(db)`with recursive below (id, level) as (
      select to_regclass('space')::oid, 0
      union
      select f.conrelid, b.level + 1
      from below b join pg_constraint f on f.contype = 'f' and f.confrelid = b.id
      where f.conrelid <> f.confrelid
    )
    select c.relname as name from below b join pg_class c on c.oid = b.id
    group by c.relname order by max(b.level), c.relname`
  const others = await run<{ name: string }[]>(db)`
    select relname as name from pg_class where oid = to_regclass(${unreferring})`
  return [...rows, ...others].map(({ name }) => name)
}

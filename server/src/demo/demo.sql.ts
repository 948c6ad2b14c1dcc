// The SQL of the demo. For each batch, one statement inserts all rows of a table other than the leads.
import type { Db, Pool } from '../db/driver.ts'
import { columnNames, raw, run } from '../db/sql.ts'
import { leadTables, type Table, tables } from './story.ts'

export async function countLeads(db: Db, space: string) {
  const [row] = await run<{ live: number; leads: number; companies: number }[]>(db)`
    select count(*) filter (where not is_deleted) as live, count(*) as leads,
      count(*) filter (where is_company) as companies
    from lead where id_space = ${space}`
  return row ?? { live: 0, leads: 0, companies: 0 }
}

export async function insertRows(
  db: Db,
  space: string,
  table: Table,
  rows: Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  // A column that a row does not have is null.
  const columns = new Set<string>()
  for (const row of rows) for (const name in row) columns.add(name)
  const names = columnNames([...columns])
  await run(db)`insert into ${raw(table)} (id_space, ${names})
    select ${space}::uuid, ${names}
    from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::text::json)`
}

/**
 * Settings for the transaction of the demo. The GIN indexes on texts and attributes collect new
 * entries in a pending list before they merge them. A longer list means fewer merges and less work.
 */
export async function expectManyRows(db: Db): Promise<void> {
  await run(db)`
    select set_config('gin_pending_list_limit', '65536', true),
      set_config('work_mem', '131072', true)`
}

/** Updates the statistics for the query planner and merges the pending lists of the GIN indexes. */
export async function tidyUp(pool: Pool): Promise<void> {
  await pool.unsafe(
    `vacuum (analyze) ${[...leadTables, 'lead_search', 'lead_key', ...tables].join(', ')}`,
  )
}

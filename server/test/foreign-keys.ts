import type { Db } from '../src/db/driver.ts'
import { raw, run } from '../src/db/sql.ts'

/**
 * For tests of filters. These look only at leads and their relations, so the records that they refer to
 * are not needed.
 */
export async function dropForeignKeysOfLeads(db: Db): Promise<void> {
  const foreignKeys = await run<{ table: string; name: string }[]>(
    db,
  )`select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'f' and conrelid::regclass::text like 'lead%'`
  for (const { table, name } of foreignKeys) {
    await run(db)`alter table ${raw(table)} drop constraint ${raw(name)}`
  }
}

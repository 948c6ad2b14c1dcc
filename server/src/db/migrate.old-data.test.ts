// Migrates a database with data of an older version. The file is a dump of version 0.1.0 (migrations 1
// to 7): a workspace with demo data, an import, and reminders that have fired.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyDatabases } from '../../test/empty-databases.ts'
import { service } from '../../test/harness.ts'
import { migrate } from './migrate.ts'
import { run, sql } from './sql.ts'

const app = service()
const databases = emptyDatabases()
const dump = readFileSync(new URL('../../test/fixtures/version-0007.sql', import.meta.url), 'utf8')

test('a database of version 0.1.0 keeps all its data, and has the same schema as a new one', async () => {
  const { pool } = await databases.create()
  await pool.unsafe('create extension pg_trgm')
  await pool.unsafe('create extension btree_gin')
  await pool.unsafe(dump)
  const count = async (table: string) =>
    (await pool.unsafe(`select count(*)::int as count from ${table}`))[0]?.count
  const tables = ['lead', 'lead_tag', 'lead_status', 'note', 'reminder', 'campaign', 'api_key']
  const before = await Promise.all(tables.map(count))
  expect(before.every((rows) => rows > 0)).toBe(true)
  const fired = await run(
    pool,
    sql`select id_reminder, due_at, created_at as fired_at, payload from event order by id_reminder`,
  )
  expect(fired).toHaveLength(3)

  expect(await migrate(pool)).toBeGreaterThan(0)

  expect(await Promise.all(tables.map(count))).toEqual(before)
  expect([
    ...(await run(
      pool,
      sql`select id_reminder, due_at, fired_at, payload from reminder_firing order by id_reminder`,
    )),
  ]).toEqual([...fired])
  // The firings of reminders had this name. Now it is that of the change feed, which begins empty.
  expect(await run(pool, sql`select from event`)).toHaveLength(0)
  expect(await schemaOf(pool)).toEqual(await schemaOf(app.db))
})

/** Every column, index and constraint, as text. */
async function schemaOf(pool: typeof app.db): Promise<unknown[]> {
  return [
    ...(await run(
      pool,
      sql`select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line
          from information_schema.columns where table_schema = 'public' and table_name not like 'citus%'
        union all
        select indexdef from pg_indexes where schemaname = 'public'
        union all
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
          from pg_constraint where connamespace = 'public'::regnamespace
        order by line`,
    )),
  ]
}

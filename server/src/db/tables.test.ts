import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { globalTables } from '../../test/pinned.ts'
import { run } from './sql.ts'
import { selectTenantTables } from './tables.sql.ts'

const app = service()

/** Otherwise the table would stay behind when a workspace is removed, and would not be distributed. */
test('every table with a workspace refers to it, directly or through another table', async () => {
  const rows = await run<{ name: string }[]>(
    app.db,
  )`select table_name as name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'id_space'`
  const named = rows.map(({ name }) => name).filter((name) => !globalTables.has(name))
  expect((await selectTenantTables(app.db)).toSorted()).toEqual(named.toSorted())
})

test('parents come before the tables that refer to them', async () => {
  const tables = await selectTenantTables(app.db)
  const references = await run<{ child: string; parent: string }[]>(
    app.db,
  )`select conrelid::regclass::text as child, confrelid::regclass::text as parent
      from pg_constraint where contype = 'f' and conrelid <> confrelid
        and connamespace = 'public'::regnamespace`
  const wrong = references.filter(
    ({ child, parent }) => tables.indexOf(parent) > tables.indexOf(child),
  )
  expect(tables[0]).toBe('space')
  expect(wrong).toEqual([])
})

test('the limit of a lead counts every text that it has', async () => {
  const [limit] = await run<{ definition: string }[]>(
    app.db,
  )`select pg_get_constraintdef(oid) as definition from pg_constraint
      where conname = 'lead_size' and conrelid = 'lead'::regclass`
  const columns = await run<{ name: string }[]>(
    app.db,
  )`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'lead' and data_type in ('text', 'jsonb')`
  const counted = new Set(limit?.definition.match(/\w+/g))
  // A copy of the name of the company.
  const missing = columns.filter(({ name }) => !counted.has(name) && name !== 'company_claim')
  expect(missing).toEqual([])
})

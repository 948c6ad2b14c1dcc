import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmpty } from '../../test/databases.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { connect, type Pool, type PoolOptions } from './driver.ts'
import { MigrationError, migrate, readMigrations } from './migrate.ts'
import { run, sql } from './sql.ts'

// Each test gets its own empty database.
let pools: Pool[]
let open: (options?: PoolOptions) => Pool
let drop: () => Promise<void>
beforeEach(async () => {
  const database = await createEmpty('migrate')
  pools = []
  open = (options) => {
    const pool = connect(database.target, { max: 3, ...options })
    pools.push(pool)
    return pool
  }
  drop = async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await database.drop()
  }
})
afterEach(() => drop())

/** Migrations from files, as a release would bring them. */
async function files(...contents: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-migrations-'))
  await Promise.all(contents.map((sql, i) => writeFile(join(folder, `000${i + 1}_step.sql`), sql)))
  return readMigrations(pathToFileURL(`${folder}/`))
}

const nothing = async () => {}
const tables = (pool: Pool) =>
  run(pool)`
  select table_name from information_schema.tables where table_schema = 'public'`

test('the real migrations are applied once', async () => {
  const pool = open()
  expect(await migrate(pool)).toBe(readMigrations().length)
  expect(await migrate(pool)).toBe(0)
})

test('a start waits for another start and for a table lock longer than a request may wait', async () => {
  const [first, second] = await files('create table a (x int)', 'alter table a add y int')
  if (!first || !second) throw new Error('unreachable')
  const pool = open()
  const hasty = open({ lockTimeoutMs: 20 })
  const reader = await pool.reserve()
  let waiting: Promise<number> | undefined
  const once = async () => {
    waiting = migrate(hasty, nothing, [first, second])
    await expectTimeout('pg_advisory_lock')
    await run(reader)`begin`
    await run(reader)`lock table a in access share mode`
  }
  await migrate(pool, once, [first])
  await expectTimeout('alter table')
  await run(reader)`commit`
  reader.release()
  expect(await waiting).toBe(1)
  expect(await run(hasty)`show lock_timeout`).toEqual([{ lock_timeout: '20ms' }])

  /** The statement waits, and has waited longer than the lock timeout: another statement runs into it. */
  async function expectTimeout(statement: string) {
    await expectLockWaits(pool, 1, statement)
    await pool.begin(async (tx) => {
      await run(tx)`select pg_advisory_xact_lock(1)`
      const late = run(hasty)`select pg_advisory_lock(1)`
      await expect(late).rejects.toMatchObject({ code: '55P03' })
    })
  }
})

test('a migration gives way to a request that locks its tables in another order', async () => {
  const [first, second] = await files(
    'create table a (x int); create table b (x int)',
    'alter table a add y int; alter table b add y int',
  )
  if (!first || !second) throw new Error('unreachable')
  const pool = open()
  await migrate(pool, nothing, [first])
  let migrated: Promise<number> | undefined
  await pool.begin(async (tx) => {
    await run(tx)`select from b`
    migrated = migrate(open(), nothing, [first, second])
    await expectLockWaits(pool, 1, 'alter table b')
    await run(tx)`select from a`
  })
  expect(await migrated).toBe(1)
})

test('processes that start at the same time apply each migration once, one process at a time', async () => {
  const migrations = await files('create table a (x int)', 'insert into a values (1)')
  const many = Array.from({ length: 6 }, () => open())
  const applied = await Promise.all(
    many.map((pool) =>
      migrate(
        pool,
        async () => {
          await run(pool)`insert into a select 2 where not exists (select 1 from a where x = 2)`
        },
        migrations,
      ),
    ),
  )
  expect(applied.toSorted()).toEqual([0, 0, 0, 0, 0, 2])
  expect(await run(open(), sql`select x from a order by x`)).toEqual([{ x: 1 }, { x: 2 }])
})

test('a failed migration says why and is undone; those before it stay', async () => {
  const pool = open()
  const migrations = await files('create table a (x int)', 'create table b (x int); select 1/0')
  await expect(migrate(pool, nothing, migrations)).rejects.toThrow(
    /^Migration 0002_step.sql failed and was rolled back: division by zero$/,
  )
  const names = (await tables(pool)).map(({ table_name }) => table_name)
  expect(names.toSorted()).toEqual(['a', 'schema_migration'])
  expect(await migrate(pool, nothing, await files('create table a (x int)', 'select 1'))).toBe(1)
})

test('a database that is newer than the program is refused', async () => {
  const pool = open()
  await migrate(pool, nothing, await files('select 1', 'select 2'))
  const older = await files('select 1')
  await expect(migrate(pool, nothing, older)).rejects.toThrow(MigrationError)
  await expect(migrate(pool, nothing, older)).rejects.toThrow(/^The database is newer [^\n]+$/)
})

test('a migration that was changed after it was applied is refused', async () => {
  const pool = open()
  await migrate(pool, nothing, await files('select 1'))
  const changed = await files('select 2')
  await expect(migrate(pool, nothing, changed)).rejects.toThrow(/0001_step.sql was changed/)
})

test('a gap in the numbers of the migrations is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-migrations-'))
  await writeFile(join(folder, '0002_late.sql'), 'select 1')
  expect(() => readMigrations(pathToFileURL(`${folder}/`))).toThrow(/out of order/)
})

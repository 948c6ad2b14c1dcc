// Programs of different releases on one database.
import { expect, test } from 'vitest'
import type { Pool } from '../src/db/driver.ts'
import { readMigrations } from '../src/db/migrate.ts'
import { run, sql } from '../src/db/sql.ts'
import { emptyDatabases } from './empty-databases.ts'
import { program } from './running-program.ts'

const box = program()
const databases = emptyDatabases()
const last = readMigrations().length
const count = async (pool: Pool) => (await run(pool, sql`select from schema_migration`)).length

test('a command does not migrate a database that an older release may be using', async () => {
  const { pool, environment } = await databases.create()
  // An empty database gets its schema from any command.
  expect(await box.run(['spaces', 'list'], environment)).toMatchObject({ code: 0 })
  expect(await count(pool)).toBe(last)
  await run(pool, sql`delete from schema_migration where version = ${last}`)
  for (const args of [['keys', 'list'], ['spaces', 'list'], ['demo']]) {
    const { code, stdout, stderr } = await box.run(args, environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The database has the schema of an older release [^\n]* migrate\n$/)
  }
  expect(await count(pool)).toBe(last - 1)
})

test('a server stops when a newer release has migrated its database', async () => {
  const { pool, environment } = await databases.create()
  const server = await box.start(environment)
  await run(
    pool,
    sql`insert into schema_migration values (${last + 1}, '9999_later.sql', 'x', now())`,
  )
  expect(await server.ended).toBe(1)
  expect(server.output).toMatch(/^A newer release of Rapport has migrated .*9999_later\.sql.*$/m)
  expect(await box.run(['keys', 'list'], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database is newer than this program\.[^\n]*\n$/),
  })
})

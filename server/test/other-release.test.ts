// Programs of different releases on one database.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueKey } from '../src/access/issue-key.ts'
import { quote, type Table } from '../src/backup/format.ts'
import { connect, type Pool } from '../src/db/driver.ts'
import { readMigrations } from '../src/db/migrate.ts'
import { run, sql } from '../src/db/sql.ts'
import { openEngine } from '../src/engine/engine.ts'
import { emptyDatabases } from './empty-databases.ts'
import { HttpClient, restRequest, withBody } from './http-client.ts'
import { expectLockWaits } from './lock-waits.ts'
import { loadRelease, releases, writeRelease } from './releases.ts'
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
  expect(server.output).toContain('restore your own backup')
  expect(await box.run(['keys', 'list'], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database is newer than this program\.[^\n]*your own backup[^\n]*\n$/,
    ),
  })
})

test('a program that is too old names the backup that leads back to it', async () => {
  const engine = await openEngine({ dataDir: box.dataDir, log: () => {} })
  const owner = connect(engine.connections.owner, { max: 1 })
  await run(owner, sql`insert into schema_migration values (${last + 2}, 'later.sql', '', now())`)
  const refusal = async () => (await box.run(['keys', 'list'])).stderr
  expect(await refusal()).toMatch(/There is none in \S.*\n$/)
  const nameOf = (next: number) => `rapport-before-${String(next).padStart(4, '0')}_step.backup`
  const folder = join(box.dataDir, 'backups')
  await mkdir(folder)
  for (const next of [last, last + 1, last + 2]) await writeFile(join(folder, nameOf(next)), '')
  expect(await refusal()).toContain(
    `-restored' npm run rapport -- restore '${folder}/${nameOf(last + 1)}'`,
  )
  await run(owner, sql`delete from schema_migration where version > ${last}`)
  await owner.end()
  await engine.leave()
})

test.runIf(process.env.UPDATE_RELEASE)('the database of this release is kept', async () => {
  const { pool } = await databases.create('schema')
  const { tables } = await writeRelease(pool)
  expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
})

test.each(releases)(
  'an upgrade from %s loses nothing, also if one from a release is killed twice',
  async (name) => {
    const { pool, environment } = await databases.create()
    const { tables, migrations } = await loadRelease(pool, name)
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
    const before = await rowsOf(pool, tables.filter(isKept).map(then))

    const missing = last - migrations.length
    const isReleased = !name.includes('+')
    for (const share of missing > 0 && isReleased ? [1 / 3, 2 / 3] : []) {
      await killAt(pool, environment, migrations.length + Math.ceil(missing * share))
    }
    expect(await box.run(['migrate'], environment)).toMatchObject({ code: 0 })

    expect(await count(pool)).toBe(last)
    expect(await schemaOf(pool)).toEqual(await schemaOf((await databases.create('schema')).pool))
    const after = await rowsOf(pool, tables.filter(isKept).map(now))
    expect(after).toEqual(before)
    const server = await box.start(environment)
    const found = await searchAll(pool, server.url)
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter(({ ids, id }) => !ids.includes(id))).toEqual([])
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
)

/** Stops a migration before its commit, and kills the server there. */
async function killAt(pool: Pool, environment: Record<string, string>, version: number) {
  const other = await pool.reserve()
  await run(other, sql`begin`)
  // The migration waits for this row, because it may be rolled back. An earlier one may wait for the table.
  await run(other, sql`insert into schema_migration values (${version}, '', '', now())`)
  const server = box.launch(['serve'], environment)
  await expectLockWaits(pool, 1, 'schema_migration')
  server.child.kill('SIGKILL')
  expect(await server.ended).toBe('SIGKILL')
  await run(other, sql`rollback`)
  other.release()
  expect(await count(pool)).toBeLessThan(version)
}

/** The texts that the search reads are made anew. */
const isKept = ({ name }: Table) => name !== 'lead_search'
/** The firings of reminders had the name of the change feed once, and two columns more. */
const isFirings = ({ name, columns }: Table) => name === 'event' && columns.includes('id_reminder')
const firings = ['id_space', 'id_reminder', 'due_at', 'payload']
const then = (table: Table) =>
  isFirings(table) ? { name: 'event', columns: [...firings, 'created_at'] } : table
const now = (table: Table) => {
  if (isFirings(table)) return { name: 'reminder_firing', columns: [...firings, 'fired_at'] }
  return table.name === 'lead_key_build' ? { ...table, name: 'lead_key_due' } : table
}

/** The rows of each table as texts, without the names of the columns. */
async function rowsOf(pool: Pool, tables: Table[]): Promise<string[][]> {
  const read = async ({ name, columns }: Table) => {
    const values = `row(${columns.map(quote).join(', ')})::text`
    const rows = await pool.unsafe<{ values: string }[]>(
      `select ${values} as values from ${quote(name)} order by values`,
    )
    return rows.map(({ values }) => values)
  }
  return Promise.all(tables.map(read))
}

/** Searches each lead by a text of its own. */
async function searchAll(pool: Pool, url: string): Promise<{ id: string; ids: string[] }[]> {
  const leads = await run<{ id_space: string; id: string; text: string; owner: string }[]>(
    pool,
    sql`select lead.id_space, lead.id, coalesce(lead.email, first_name, city) as text, member.id as owner
      from lead join member on member.id_space = lead.id_space and member.role = 'owner'
      where not is_deleted`,
  )
  const http = new HttpClient()
  const keys = new Map<string, Promise<{ key: string }>>()
  const keyOf = ({ id_space, owner }: (typeof leads)[number]) => {
    const created_at = new Date().toISOString()
    const order = { id_space, id_member: owner, role: 'read', name: 'Search', created_at } as const
    const issued = keys.get(id_space) ?? issueKey(pool, order)
    keys.set(id_space, issued)
    return issued
  }
  const search = async (lead: (typeof leads)[number]) => {
    const body = { filter: { search: lead.text }, id_only: true }
    const request = restRequest((await keyOf(lead)).key, 'POST', '/leads/list', body)
    const answer = withBody(await http.send(url, request))
    return { ...lead, ids: answer.body.leads.map(({ id }: { id: string }) => id) }
  }
  const found = await Promise.all([...leads].map(search))
  http.close()
  return found
}

/** Every column, index and constraint, as text. */
async function schemaOf(pool: Pool): Promise<unknown[]> {
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

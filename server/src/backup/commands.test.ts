// Backup and restore on the command line: real processes, the bundled PostgreSQL, real files.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabases } from '../../test/empty-databases.ts'
import { runHere } from '../../test/run-here.ts'
import { insertOldSpace } from '../../test/workspace.ts'
import { insertMember } from '../access/access.sql.ts'
import { connect, type Pool } from '../db/driver.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { run } from '../db/sql.ts'
import { type Engine, openEngine } from '../engine/engine.ts'
import { newId } from '../ids.ts'
import { quote } from './format.ts'
import { checkBackup } from './restore.ts'
import { selectTables } from './tables.sql.ts'

const program = new URL('../../../scripts/rapport.mjs', import.meta.url).pathname
const databases = emptyDatabases()
const newest = readMigrations()
let folder: string
/** A data folder with data of an older release. */
let dataDir: string
let engine: Engine
let pool: Pool

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-commands-'))
  dataDir = join(folder, 'box')
  engine = await openEngine({ dataDir, log: () => {} })
  pool = connect(engine.connections.owner, { max: 3 })
  await migrate(pool, async () => {}, newest.slice(0, -1))
  const id_space = newId()
  const created_at = new Date().toISOString()
  await insertOldSpace(pool, { id_space, name: 'North', time_zone: 'UTC', created_at })
  const person = { id_space, id: newId(), name: 'Ada', email: 'ada@example.com', created_at }
  await insertMember(pool, { ...person, role: 'owner' })
  await run(pool)`
    insert into lead (id_space, id, first_name, last_name, custom_fields, created_at)
    select ${id_space}, gen_random_uuid(), 'Lead ' || i, repeat('long ', 50), '{"a":"\\\\"}', now()
    from generate_series(1, 4000) i`
})
afterAll(async () => {
  await pool.end()
  await engine.leave()
  await rm(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATA_DIR: dataDir,
  PORT: '0',
  ...more,
})

const rapport = (args: string[], more: Record<string, string> = {}) =>
  runHere(args, environment(more))

function start(args: string[], more: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: environment(more), stdio: 'ignore' })
}

/** Tables that a restore writes to: the epoch of the change feed, and the audit log. */
const ofRestore = ['event_head', 'audit', 'mail_pause']

/** For each table, all its rows as one text: only the tables and columns that the other database has too. */
async function dump(db: Pool, other = db): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const others = await selectTables(other)
  for (const { name, columns: own } of await selectTables(db)) {
    const columns = others.find((table) => table.name === name)?.columns
    if (!columns || ofRestore.includes(name)) continue
    const shared = columns.filter((column) => own.includes(column))
    const [row] = await db.unsafe(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as all
       from (select ${shared.toSorted().map(quote).join()} from "${name}") t`,
    )
    found[name] = row?.all
  }
  return found
}

/** Queries the database of a data folder. */
async function inBox<T>(box: string, look: (db: Pool) => Promise<T>): Promise<T> {
  const opened = await openEngine({ dataDir: box, log: () => {} })
  const db = connect(opened.connections.owner, { max: 2 })
  try {
    return await look(db)
  } finally {
    await db.end()
    await opened.leave()
  }
}

describe('in sequence', () => {
  test('a backup does not migrate; moved to a server and to another folder, the rows are the same', async () => {
    const erased = 'someone.erased@a.example'
    await run(pool)`insert into lead (id_space, id, email, created_at)
        select id_space, ${newId()}::uuid, ${erased}, now() from space`
    await run(pool)`delete from lead where email = ${erased}`
    const file = join(folder, 'north.backup')
    const made = await rapport(['backup', file])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^Backed up 1 workspace, 4,003 rows to .*north.backup \(.* MB\) in/)
    const checked = await rapport(['restore', file, '--check'])
    expect(checked.stdout).toMatch(/^The backup is complete: 1 workspace, 4,003 rows, made 20.*\n$/)

    const server = await databases.create()
    const up = await rapport(['restore', file, '--json'], server.environment)
    expect(up).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(up.stdout)).toMatchObject({ file, workspaces: 1, rows: 4003 })
    expect(await dump(server.pool, pool)).toEqual(await dump(pool, server.pool))

    // Two more: the restore is in the audit log, and mail is paused.
    const back = join(folder, 'back.backup')
    const json = await rapport(['backup', back, '--json'], server.environment)
    expect(JSON.parse(json.stdout)).toMatchObject({ file: back, rows: 4005, workspaces: 1 })
    const other = join(folder, 'other box')
    const down = await rapport(['restore', back], { DATA_DIR: other })
    expect(down).toMatchObject({ code: 0 })
    expect(down.stdout).toContain('bundled PostgreSQL')
    expect(await inBox(other, (db) => dump(db))).toEqual(await dump(server.pool))
    // Rows that were deleted before stay in the files of the old folder, and are in none of the new one.
    const filesWith = (text: string, folder: string) =>
      promisify(execFile)('grep', ['-rl', text, folder]).then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      )
    expect(await filesWith(erased, dataDir)).not.toBe('')
    expect(await filesWith(erased, other)).toBe('')
    expect(await filesWith('ada@example.com', other)).not.toBe('')

    const again = await rapport(['restore', back], { DATA_DIR: other })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^This database already has a workspace[^\n]*\n$/)

    // Only one workspace, beside another. The commands say what there is to choose from.
    const one = join(folder, 'one.backup')
    const mistyped = await rapport(['backup', one, '--space', 'Norht'])
    expect(mistyped).toMatchObject({ code: 1, stdout: '' })
    expect(mistyped.stderr).toMatch(
      /^The database has no workspace "Norht". It has:\n {2}\S+ {2}North\n$/,
    )
    const moved = await rapport(['backup', one, '--space', 'north'], server.environment)
    expect(moved.stdout).toMatch(/^Backed up 1 workspace, /)
    const there = (await databases.create('schema')).environment
    await rapport(['spaces', 'create', '--name', 'South', '--owner', 'tom@example.com'], there)
    const into = () => rapport(['restore', one, '--space', 'North'], there)
    expect((await into()).stdout).toMatch(/^Restored the workspace North into /)
    expect((await rapport(['spaces', 'list'], there)).stdout).toMatch(
      /North[\s\S]*South|South[\s\S]*North/,
    )
    expect((await into()).stderr).toMatch(
      /^The workspace "North" \(\S+\) is already in this database/,
    )
    const unknown = await rapport(['restore', one, '--space', 'West'], there)
    expect(unknown.stderr).toContain('has no workspace "West". It has:')
  })

  test('works through standard output and input', async () => {
    const server = await databases.create()
    const settings = Object.keys(server.environment)
    const given = settings.map((name) => `${name}="$TO_${name}"`).join(' ')
    const pipe = `"$0" "$1" backup - | ${given} "$0" "$1" restore - --json`
    const values = Object.entries(server.environment).map(([name, value]) => [`TO_${name}`, value])
    const { stdout } = await promisify(execFile)('sh', ['-c', pipe, process.execPath, program], {
      env: environment(Object.fromEntries(values)),
    })
    expect(JSON.parse(stdout)).toMatchObject({ file: '-', rows: 4003 })
    expect(await dump(server.pool, pool)).toEqual(await dump(pool, server.pool))
  })

  test('a killed backup leaves no file with the final name', async () => {
    const file = join(folder, 'killed.backup')
    await pool.begin(async (tx) => {
      // A lock, so that the backup stops in the middle.
      await run(tx)`lock table tag in access exclusive mode`
      const child = start(['backup', file])
      await expect.poll(() => existsSync(`${file}.partial`)).toBe(true)
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    expect(existsSync(file)).toBe(false)
    expect(await rapport(['backup', file])).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(`${file}.partial`)).toBe(false)
    await checkBackup(file)
  })

  test('a killed restore leaves nothing, and can be run again', async () => {
    const server = await databases.create()
    const file = join(folder, 'north.backup')
    const busy = () =>
      run(server.pool)`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (query like 'copy "lead" %' or query like 'CREATE INDEX%') and state = 'active'`
    const child = start(['restore', file], server.environment)
    await expect.poll(async () => (await busy()).length, { interval: 2 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const tables = () => run(server.pool)`select from pg_tables where schemaname = 'public'`
    expect(await tables()).toHaveLength(0)
    expect(await rapport(['restore', file], server.environment)).toMatchObject({ code: 0 })
    expect(await run(server.pool)`select count(*) from lead`).toEqual([{ count: 4000 }])
  })

  test('if the backup fails, the migration does not start', async () => {
    await writeFile(join(folder, 'blocked'), '')
    const stopped = await rapport(['migrate'], { BACKUP_DIR: join(folder, 'blocked') })
    expect(stopped).toMatchObject({ code: 1, stdout: '' })
    expect(stopped.stderr).toMatch(/^The database must be migrated, but the backup [^\n]*\n$/)
    expect(await run(pool)`select from schema_migration`).toHaveLength(newest.length - 1)
  })

  test('existing data in the bundled PostgreSQL is backed up before a migration, and the start prints where', async () => {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: environment({ BACKUP_EVERY: '24h', LOG_LEVEL: 'info' }),
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    await expect.poll(() => output).toMatch(/Backed up to .*Z\.backup/)
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])

    const name = `rapport-before-${newest.at(-1)?.name.replace('.sql', '')}.backup`
    const file = join(dataDir, 'backups', name)
    expect(output).toContain(`Backed up to ${file} before migrating\n`)
    expect((await checkBackup(file)).header.migrations).toHaveLength(newest.length - 1)
    expect(await run(pool)`select from schema_migration`).toHaveLength(newest.length)
    const scheduled = /Backed up to (\S+Z\.backup)/.exec(output)?.[1] ?? ''
    expect((await checkBackup(scheduled)).header.migrations).toHaveLength(newest.length)
  })

  test('on the user’s own server no backup is made before a migration', async () => {
    const server = await databases.create()
    await migrate(server.pool, async () => {}, newest.slice(0, -1))
    await run(server.pool)`insert into space values (${newId()}, 'x', 'UTC', now())`
    const backups = join(folder, 'none')
    const done = await rapport(['migrate'], { ...server.environment, BACKUP_DIR: backups })
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(backups)).toBe(false)
  })
})

test.each([
  [['backup'], 2, /^Missing the file to write\./],
  [['backup', 'a', 'b'], 2, /^Too many arguments: b\./],
  [['backup', '/nowhere/at/all'], 1, /^Cannot write \/nowhere\/at\/all: ENOENT[^\n]*\n$/],
  [['restore'], 2, /^Missing the file to restore\./],
  [['restore', '/nowhere'], 1, /^Cannot read \/nowhere: ENOENT[^\n]*\n$/],
  [['restore', program], 1, /rapport\.mjs is not a Rapport backup\.\n$/],
  [['restore', 'x', '--force'], 2, /--force/],
])('%j is refused with status %i and a reason', async (args, code, reason) => {
  const answer = await rapport(args)
  expect(answer).toMatchObject({ code, stdout: '' })
  expect(answer.stderr).toMatch(reason)
})

test('both commands have a help text', async () => {
  expect((await rapport(['backup', '--help'])).stdout).toContain('backup <file> [--space')
  expect((await rapport(['restore', '--help'])).stdout).toContain('restore <file> [--space')
})

// Which files a restore refuses, that a failed restore leaves nothing, and backups of other releases.

import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabases } from '../../test/empty-databases.ts'
import { insertOldSpace } from '../../test/workspace.ts'
import { insertMember } from '../access/access.sql.ts'
import type { Pool } from '../db/driver.ts'
import { type Migration, migrate, readMigrations } from '../db/migrate.ts'
import { run } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { backUpToFile } from './file.ts'
import { BackupError, type Header, headerLine, headerMark, trailerLine } from './format.ts'
import { checkBackup, restoreBackup } from './restore.ts'

const databases = emptyDatabases()
const all = readMigrations()
const now = new Date('2026-11-15T04:00:00.000Z')
const nothing = async () => {}
let folder: string
/** Valid backups of a small workspace: one with the newest schema, one with an old schema. */
let file: string
let oldFile: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-restore-'))
  file = await backupOf(all)
  oldFile = await backupOf(all.slice(0, 3))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${newId()}.backup`)

async function backupOf(migrations: Migration[]): Promise<string> {
  const { pool } = await databases.create()
  await migrate(pool, nothing, migrations)
  const id_space = newId()
  const created_at = now.toISOString()
  await insertOldSpace(pool, { id_space, name: 'North', time_zone: 'UTC', created_at })
  const person = { id_space, id: newId(), name: 'Ada', email: 'ada@example.com', created_at }
  await insertMember(pool, { ...person, role: 'owner' })
  await run(pool)`
    insert into lead (id_space, id, first_name, created_at)
    select ${id_space}, gen_random_uuid(), 'Lead ' || i, now() from generate_series(1, 500) i`
  const made = newFile()
  await backUpToFile(pool, made, { now })
  return made
}

async function load(pool: Pool, from: string, migrations?: Migration[]): Promise<void> {
  await restoreBackup(pool, from, await checkBackup(from), migrations ? { migrations } : {})
}

const tables = async (pool: Pool) =>
  (await run(pool)`select from pg_class where relnamespace = 'public'::regnamespace`).length
const leads = async (pool: Pool) => (await run(pool)`select count(*) from lead`)[0]?.count

async function refused(pool: Pool, from: string, why: RegExp, migrations?: Migration[]) {
  const error = await load(pool, from, migrations).catch((error) => error)
  expect(error).toBeInstanceOf(Error)
  expect(error.message).toMatch(why)
  expect(error.message).not.toContain('\n')
}

test('a damaged file is refused before anything is written', async () => {
  const { pool } = await databases.create()
  const good = await readFile(file)
  const { sha256 } = await checkBackup(file)
  const bad = newFile()
  for (const length of [1, 9, 30, good.length >> 1, good.length - 9, good.length - 1]) {
    await writeFile(bad, good.subarray(0, length))
    await refused(pool, bad, /is damaged or truncated|is not a Rapport backup/)
  }
  let accepted = 0
  for (let at = 0; at < good.length; at += Math.ceil(good.length / 100)) {
    const flipped = Buffer.from(good)
    flipped[at] = (flipped[at] ?? 0) ^ 0x10
    await writeFile(bad, flipped)
    const outcome = await checkBackup(bad).catch((error) => error)
    if (outcome instanceof BackupError) continue
    // Not every byte counts: the gzip header has a time, and what repeats can be copied from several places.
    expect(outcome, `${at}`).toMatchObject({ sha256 })
    accepted++
  }
  expect(accepted).toBeLessThan(5)
  expect(await tables(pool)).toBe(0)
})

test('other files are not accepted as backups', async () => {
  const { pool } = await databases.create()
  const other = newFile()
  for (const content of ['', 'first_name,last_name\n', gzipSync('hello\n'), gzipSync('x')]) {
    await writeFile(other, content)
    await refused(pool, other, /is not a Rapport backup|truncated/)
  }
  await writeFile(other, gzipSync(Buffer.alloc(40_000_000, 'x')))
  await refused(pool, other, /is not a Rapport backup/)
  await refused(pool, join(folder, 'missing'), /^Cannot read .*missing: ENOENT/)
  await refused(pool, folder, /^Cannot read .*: EISDIR/)
  expect(await tables(pool)).toBe(0)
})

/** A file with changed content and a correct checksum. */
async function forged(change: (content: string, header: Header) => string): Promise<string> {
  const text = gunzipSync(await readFile(file)).toString()
  const [first = '', ...rest] = text.split('\n')
  const content = rest.slice(0, -2).join('\n')
  const header: Header = JSON.parse(first.slice(headerMark.length))
  const changed = change(`${content}\n`, header)
  const body = headerLine(header) + changed
  const sha256 = createHash('sha256').update(body).digest('hex')
  const made = newFile()
  await writeFile(made, gzipSync(body + trailerLine({ sha256 })))
  return made
}

test('if the database refuses the rows, nothing is restored', async () => {
  const { pool } = await databases.create()
  const text = gunzipSync(await readFile(file)).toString()
  const [, space = ''] = /copy "space" [^\n]*\n([^\n]*\n)/.exec(text) ?? []
  const twice = await forged((content, { tables }) => {
    for (const table of tables) if (table.name === 'space') table.rows = 2
    return content.replace(space, space + space)
  })
  await refused(pool, twice, /^The restore failed and was rolled back: duplicate key .*space_pkey/)
  const none = await forged((content, { tables }) => {
    for (const table of tables) if (table.name === 'space') table.rows = 0
    return content.replace(space, '')
  })
  await refused(pool, none, /^The restore failed and was rolled back: .*violates foreign key/)
  expect(await tables(pool)).toBe(0)
})

test('wrong row counts, missing tables and newer formats are refused', async () => {
  const { pool } = await databases.create()
  const counts = await forged((content, { tables }) => {
    for (const table of tables) if (table.name === 'lead') table.rows = 499
    return content
  })
  await refused(pool, counts, /lead has 500 rows, not 499/)
  const missing = await forged((content) => content.replace(/copy "tag" [^\n]*\n/, ''))
  await refused(pool, missing, /the rows of tag are missing/)
  const later = await forged((content, header) => {
    header.format = 2
    return content
  })
  await refused(pool, later, /made by a newer Rapport \(\d/)
})

test('a file that changes between check and restore is refused, and nothing is restored', async () => {
  const { pool } = await databases.create()
  const checked = await checkBackup(file)
  const other = await forged((content) => content.replace('Lead 77', 'Lead 78'))
  await expect(restoreBackup(pool, other, checked)).rejects.toThrow(/changed during the restore/)
  expect(await tables(pool)).toBe(0)
})

test('a database that has a workspace is not changed', async () => {
  const { pool } = await databases.create()
  await load(pool, oldFile)
  const [before] = await run(pool)`select id_space from space`
  await refused(pool, file, /^This database already has a workspace, and .* never overwrites/)
  expect(await run(pool)`select id_space from space`).toEqual([before])
  await run(pool)`delete from space`
  await run(
    pool,
  )`insert into api_key values (${newId()}, 'h', ${newId()}, ${newId()}, 'read', '', '', now())`
  await refused(pool, file, /^This database already has rows in api_key/)
})

test('a backup of an older release is migrated during the restore', async () => {
  const { pool } = await databases.create()
  await load(pool, oldFile)
  expect(await leads(pool)).toBe(500)
  expect(await migrate(pool)).toBe(0)
  expect(await run(pool)`select count(*) from campaign`).toEqual([{ count: 0 }])
})

test('if a later migration fails on the data, nothing is restored', async () => {
  const { pool } = await databases.create()
  const sql = 'alter table lead add constraint none check (first_name is null)'
  const bad = { version: 4, name: '0004_bad.sql', sql, checksum: 'x' }
  await refused(pool, oldFile, /^Migration 0004_bad.sql failed/, [...all.slice(0, 3), bad])
  expect(await tables(pool)).toBe(0)
})

test('an existing schema must not be newer than the backup', async () => {
  const current = await databases.create('schema')
  await refused(current.pool, oldFile, /^The backup is older .* new, empty database/)
  await load(current.pool, file)
  expect(await leads(current.pool)).toBe(500)
  const older = await databases.create()
  await migrate(older.pool, nothing, all.slice(0, 2))
  await load(older.pool, file)
  expect(await leads(older.pool)).toBe(500)
})

test('a backup that is newer than the program, or of a different program, is refused', async () => {
  const { pool } = await databases.create()
  await refused(pool, file, /^The backup is newer than this program/, all.slice(0, 4))
  const changed = all.map((one) => ({ ...one, checksum: `${one.checksum}!` }))
  await refused(pool, file, /^Migration 0001_workspaces.sql of the backup differs/, changed)
  expect(await tables(pool)).toBe(0)
})

test('of two restores at the same time, one succeeds and the other gets an error', async () => {
  const { pool } = await databases.create()
  const outcomes = await Promise.allSettled([load(pool, file), load(pool, file)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await leads(pool)).toBe(500)
})

test('a server that starts during a restore waits, and finds the workspace', async () => {
  const { pool } = await databases.create()
  const checked = await checkBackup(file)
  let restoring: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    restoring = restoreBackup(pool, file, checked, { onProgress: () => resolve() })
  })
  let found: number | undefined
  await migrate(pool, async () => {
    found = (await run(pool)`select from space`).length
  })
  expect(found).toBe(1)
  await restoring
})

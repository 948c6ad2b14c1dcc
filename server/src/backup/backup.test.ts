// A restored database equals the original: every table, row by row, and the schema.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabases } from '../../test/empty-databases.ts'
import { fillWorkspace } from '../../test/fixture.ts'
import { service } from '../../test/harness.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { deleteKeys, deleteSpace, revokeKey } from '../access/access.sql.ts'
import { issueKey } from '../access/issue-key.ts'
import { makeLink } from '../access/links.ts'
import { startSession } from '../access/sessions.ts'
import type { Pool } from '../db/driver.ts'
import { raw, rowValues, run, sql } from '../db/sql.ts'
import { selectAudit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { record } from '../feed/record.sql.ts'
import { createSequencer } from '../feed/sequencer.ts'
import { pick } from '../http/pick.ts'
import { newId } from '../ids.ts'
import { isMailPaused } from '../mail/mail.sql.ts'
import { createMail } from '../mail/mail.ts'
import { enqueue } from '../outgoing/queue.sql.ts'
import { openReader } from '../resources/events/reader.ts'
import { insertWebhook } from '../resources/webhooks/webhooks.sql.ts'
import { createSecrets } from '../secrets.ts'
import { backUpToFile } from './file.ts'
import { BackupError } from './format.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { parentsFirst, selectTables } from './tables.sql.ts'
import { writeBackup } from './write.ts'

const app = service()
const databases = emptyDatabases()
const now = new Date('2026-11-15T04:00:00.000Z')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Tables that a restore changes. */
const ended = ['sign_in_link', 'pending_sign_in', 'passkey_challenge', 'delivery_queue']
const ofRestore = ['audit', 'event_head', 'api_key', ...ended]

const newFile = () => join(folder, `${newId()}.backup`)

async function restored(file: string): Promise<Pool> {
  const { pool } = await databases.create()
  await restoreBackup(pool, file, await checkBackup(file))
  return pool
}

/** Every row of every table as text, including generated columns. */
async function dump(db: Pool): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name } of await selectTables(db)) {
    const rows = await db.unsafe<{ row: string }[]>(
      `select t::text as row from "${name}" t order by row`,
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

async function schema(db: Pool): Promise<unknown[]> {
  const columns = await run(db)`
    select table_name, column_name, data_type, is_nullable, column_default, generation_expression
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'citus%' order by 1, 2`
  const indexes = await run(db)`
    select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`
  const constraints = await run(db)`
    select conrelid::regclass::text as table, conname, convalidated, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`
  return [...columns, ...indexes, ...constraints]
}

const awkward = [
  '',
  ' ',
  '\\',
  '\\N',
  '\\.',
  'a\tb',
  'a\nb',
  'a\r\nb',
  '\n\\.\n',
  '"quoted", \'too\'; -- and {more}',
  'é e\u0301 ß 日本 🦊 \u200f\u0001\u007f',
]

test('a restore returns everything: rows, generated columns, schema', async () => {
  const space = await app.workspace()
  await fillWorkspace(app.db, space, { allRelated: true })
  await fillWorkspace(app.db, await app.workspace(), { label: awkward.join('|') })
  const { id_space } = space
  const leads = awkward.map((text) => ({
    id_space,
    id: newId(),
    first_name: text,
    city: null,
    icebreaker: text.repeat(100_000),
    custom_fields: { [text.slice(0, 9)]: [text, null, 1.5e-7, { deep: '\\u0041' }] },
    created_at: now,
  }))
  // They are from a time without the limit.
  const limit = sql`select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname = 'lead_size' and conrelid = 'lead'::regclass`
  const [{ definition } = { definition: '' }] = await run<{ definition: string }[]>(app.db, limit)
  await run(app.db)`alter table lead drop constraint lead_size`
  for (const lead of leads) await run(app.db)`insert into lead ${rowValues(lead)}`
  await run(app.db)`alter table lead add constraint lead_size ${raw(definition)}`
  await run(app.db)`
    update lead set contract_value = -9223372036854775808, created_at = '0044-03-15 12:00:00+00 BC',
      last_interaction_at = 'infinity'
    where id_space = ${id_space} and id = ${leads[0]?.id ?? ''}`
  await run(app.db)`
    update list set attribute_definitions_order = ${awkward}::text[],
      "order" = 0.1::float8 + 0.2::float8
    where id_space = ${id_space}`
  await run(
    app.db,
  )`update status set "order" = 'NaN', success_rate = 1e-300 where id_space = ${id_space}`

  // The service numbers new events in the meantime. The copy would have them without their numbers.
  const unnumbered = async () => (await run(app.db)`select from event_new`).length
  await expect.poll(unnumbered).toBe(0)
  const file = newFile()
  const { header, bytes } = await backUpToFile(app.db, file, { now })
  const copy = await restored(file)
  const original = await dump(app.db)
  const copied = await dump(copy)
  const { audit, event_head, api_key } = copied
  expect({ ...copied, ...pick(original, ofRestore) }).toEqual(original)
  // A restore adds an entry to the audit log, and changes the epoch of the change feed. Sessions, links and queues end.
  expect(ended.map((name) => copied[name])).toEqual([[], [], [], []])
  expect(api_key).toEqual(original.api_key?.filter((row) => !row.includes('session')))
  expect(audit).toEqual(expect.arrayContaining(original.audit ?? []))
  expect(event_head).toHaveLength(original.event_head?.length ?? 0)
  expect(await schema(copy)).toEqual(await schema(app.db))
  expect(Object.entries(original).filter(([, rows]) => rows.length === 0)).toSatisfy(
    // These tables have rows only during an import, until an event has its number, or after a wrong password.
    (empty: [string][]) =>
      empty.every(([name]) => /^import_|^event_new$|^guess_budget$/.test(name)),
  )
  expect((await stat(file)).size).toBe(bytes)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(header.created_at).toBe('2026-11-15T04:00:00.000Z')
  // The restore ran ANALYZE, so the planner has statistics.
  const [analyzed] = await run(copy)`select count(*) from pg_stats where tablename = 'lead'`
  expect(analyzed?.count).toBeGreaterThan(0)
})

test('one workspace moves to an installation that has others, out of its own backup or one of everything', async () => {
  const space = await app.workspace()
  await fillWorkspace(app.db, space, { allRelated: true, label: awkward.join('|') })
  await fillWorkspace(app.db, await app.workspace())
  const unnumbered = async () => (await run(app.db)`select from event_new`).length
  await expect.poll(unnumbered).toBe(0)
  const { id_space: id } = space
  const rowsOf = async (db: Pool, isOwn: boolean) => {
    const found = Object.entries(await dump(db)).map(([name, rows]): [string, string[]] => [
      name,
      rows.filter((row) => row.includes(id) === isOwn),
    ])
    return Object.fromEntries(found)
  }
  const original = await rowsOf(app.db, true)
  const expected: Record<string, string[]> = {
    ...original,
    ...{ sign_in_link: [], pending_sign_in: [], delivery_queue: [] },
    api_key: original.api_key?.filter((row) => !row.includes('session')) ?? [],
  }
  const [own, whole] = [newFile(), newFile()]
  const { header } = await backUpToFile(app.db, own, { now, space: id })
  await backUpToFile(app.db, whole, { now })
  expect(header.tables.map(({ name }) => name)).not.toContain('sign_in_link')
  const lengths = header.tables.map(({ name, rows }) => [name, rows])
  expect(lengths).toEqual(header.tables.map(({ name }) => [name, expected[name]?.length]))

  for (const file of [own, whole]) {
    const { pool } = await databases.create('schema')
    await fillWorkspace(
      pool,
      await makeWorkspace(pool, { name: 'Here', created_at: now.toISOString() }),
    )
    const others = await rowsOf(pool, false)
    const checked = await checkBackup(file)
    const spaces = checked.spaces.filter((one) => one.id === id)
    await restoreBackup(pool, file, checked, { spaces })
    const { audit, event_head, ...moved } = await rowsOf(pool, true)
    expect({ ...moved, ...pick(expected, ['audit', 'event_head']) }).toEqual(expected)
    expect([audit, event_head]).toMatchObject([
      expect.arrayContaining(original.audit ?? []),
      { length: 1 },
    ])
    expect(await rowsOf(pool, false)).toEqual(others)
    // It is here now, and stays as it is.
    const again = restoreBackup(pool, file, checked, { spaces })
    await expect(again).rejects.toThrow('is already in this database')
  }
  // Without others it is a backup like any other.
  expect((await rowsOf(await restored(own), true)).lead).toEqual(original.lead)
})

test('one workspace of an older release is refused beside others, and its keys can be revoked', async () => {
  const { pool } = await databases.create('schema')
  const created_at = now.toISOString()
  const [north, south] = [
    await makeWorkspace(pool, { name: 'North', created_at }),
    await makeWorkspace(pool, { name: 'South', created_at }),
  ]
  const file = newFile()
  await backUpToFile(pool, file, { now, space: north.id_space })
  const checked = await checkBackup(file)
  const { spaces } = checked
  await deleteKeys(pool, north.id_space)
  await deleteSpace(pool, north.id_space)
  const { header } = checked
  const older = { ...checked, header: { ...header, migrations: header.migrations.slice(0, -1) } }
  await expect(restoreBackup(pool, file, older, { spaces })).rejects.toThrow('The backup is older')
  await restoreBackup(pool, file, checked, { spaces, revokeKeys: true })
  const keys = await run(pool)`select id_space from api_key where revoked_at is null`
  expect(new Set(keys.map(({ id_space }) => id_space))).toEqual(new Set([south.id_space]))
})

test('an encrypted backup opens with its key only, and shows every change', async () => {
  const { pool } = await databases.create('schema')
  const { id_space } = await makeWorkspace(pool, { name: 'North', created_at: now.toISOString() })
  // Text that gzip cannot shorten, so that it fills several parts.
  const row = () => ({ id: newId(), icebreaker: randomBytes(60_000).toString('base64url') })
  const leads = [row(), row(), row()].map((one) => ({ ...one, id_space, created_at: now }))
  await run(pool)`insert into lead ${rowValues(leads)}`
  const [file, key] = [newFile(), randomBytes(32).toString('base64')]
  const { bytes } = await backUpToFile(pool, file, { now, key })
  const content = await readFile(file)
  expect(content.length).toBe(bytes)
  const part = 65_536 + 16
  const start = 'rapport encrypted backup 1\n'.length + 48
  expect(content.length).toBeGreaterThan(start + 2 * part)

  const checked = await checkBackup(file, { key })
  const target = (await databases.create()).pool
  await restoreBackup(target, file, checked, { key })
  expect((await dump(target)).lead).toEqual((await dump(pool)).lead)
  await expect(checkBackup(file)).rejects.toThrow(`${file} is encrypted. Set BACKUP_KEY or`)
  const wrong = checkBackup(file, { key: key.replace(/^./, key.startsWith('A') ? 'B' : 'A') })
  await expect(wrong).rejects.toThrow(/^\S+ is encrypted with another key than BACKUP_KEY/)

  const parts = [
    content.subarray(start, start + part),
    content.subarray(start + part, start + 2 * part),
  ]
  const flipped = Buffer.from(content)
  flipped.writeUInt8(flipped.readUInt8(start + part + 9) ^ 1, start + part + 9)
  for (const [name, changed] of Object.entries({
    cut: content.subarray(0, -1),
    'cut between parts': content.subarray(0, start + 2 * part),
    'cut in its beginning': content.subarray(0, start - 5),
    'cut behind its beginning': content.subarray(0, start),
    flipped,
    swapped: Buffer.concat([
      content.subarray(0, start),
      ...parts.reverse(),
      content.subarray(start + 2 * part),
    ]),
    longer: Buffer.concat([content, Buffer.from('x')]),
  })) {
    const bad = newFile()
    await writeFile(bad, changed)
    await expect(checkBackup(bad, { key }), name).rejects.toThrow(BackupError)
  }

  // Without Rapport, by the documented format.
  const keyFile = newFile()
  await writeFile(keyFile, `${key}\n`)
  const script = fileURLToPath(
    new URL('../../../docs/operations/decrypt-backup.mjs', import.meta.url),
  )
  const plain = execFileSync(process.execPath, [script, keyFile], {
    input: content,
    maxBuffer: 1e9,
  })
  expect(gunzipSync(plain).toString()).toContain(leads[2]?.icebreaker)
})

test('after a restore the feed goes on without a loss, and old cursors are refused', async () => {
  const { pool } = await databases.create('schema')
  const { id_space } = await makeWorkspace(pool, { name: 'North', created_at: now.toISOString() })
  const by = authorOf('command', id_space, now)
  const write = (db: Pool) => record(db, by, { type: 'tag.created', ids: [newId()] })
  await write(pool)
  await createSequencer(pool, newId(), () => {}).sequenceAll()
  // Written, but without a number when the backup is made.
  await write(pool)
  const file = newFile()
  await backUpToFile(pool, file, { now })
  const copy = await restored(file)
  const [before, after] = [openReader(pool, id_space, {}), openReader(copy, id_space, {})]
  await before.read(10)
  expect(await after.read(10)).toMatchObject([{ seq: 1 }])
  const cursor = openReader(copy, id_space, { after: before.cursor() })
  await expect(cursor.read(10)).rejects.toMatchObject({
    status: 410,
    more: { start: after.cursor() },
  })
  await createSequencer(copy, newId(), () => {}).sequenceAll()
  expect(await after.read(10)).toMatchObject([{ seq: 2, type: 'tag.created' }])
  expect(await selectAudit(copy, id_space, { before: undefined, limit: 10 })).toMatchObject([
    { action: 'backup.restored', about: { made_at: now.toISOString() } },
  ])
})

test('a restore ends sessions and links, pauses webhooks and mail, shows the keys, and revokes them when asked', async () => {
  const { pool } = await databases.create('schema')
  const created_at = new Date().toISOString()
  const space = await makeWorkspace(pool, { name: 'No\\rth\tteam', created_at })
  const { id_space } = space
  const owner = { id_space, id: space.owner }
  await startSession(pool, owner, { way: 'password', device: 'here', now: new Date() })
  await makeLink(pool, owner, 'sign_in', new Date())
  const issue = (name: string, more = {}) =>
    issueKey(pool, { id_space, id_member: space.owner, role: 'read', name, created_at, ...more })
  await issue('Sync\nof the shop')
  await issue('old', { expires_at: '2020-01-01T00:00:00.000Z' })
  const gone = await issue('gone')
  await revokeKey(pool, gone, new Date())
  const webhook = { id: newId(), name: 'Flow', url: 'https://example.com', id_member: space.owner }
  const wanted = { types: [], filter: {}, include: [], secret: '', expires_at: null }
  await insertWebhook(pool, id_space, { ...webhook, ...wanted }, now)
  await enqueue(pool, id_space, webhook.id, now)
  const mail = createMail({} as never, createSecrets('a key for tests'))
  const about = { space: id_space, member: space.owner, subject: 'Hello', lines: [], now }
  await mail.queue(pool, { ...about, kind: 'notification' })
  await mail.queue(pool, { ...about, kind: 'reset', action: { text: 'Go', path: '/#reset=x' } })
  const file = newFile()
  await backUpToFile(pool, file, { now })
  const { keys } = await checkBackup(file)
  expect(keys.map(({ name }) => name).sort()).toEqual(['No\\rth\tteam', 'Sync\nof the shop'])
  expect(keys[0]).toMatchObject({
    workspace: 'No\\rth\tteam',
    member: expect.stringContaining('@'),
  })

  for (const revokeKeys of [false, true]) {
    const target = (await databases.create()).pool
    await restoreBackup(target, file, await checkBackup(file), { revokeKeys })
    const left = await run(target)`select kind from api_key where revoked_at is null`
    // The expired one is not a danger.
    expect(left).toHaveLength(revokeKeys ? 1 : 3)
    expect(left.filter(({ kind }) => kind === 'session')).toEqual([])
    expect(await run(target)`select from sign_in_link`).toHaveLength(0)
    const webhooks = await run(target)`select state, reason from webhook`
    expect(webhooks).toEqual([{ state: 'paused', reason: 'restored' }])
    expect(await run(target)`select from delivery_queue`).toHaveLength(0)
    const mails = await run(target)`select kind, state from mail_out`
    expect(mails).toEqual([{ kind: 'notification', state: 'uncertain' }])
    expect(await isMailPaused(target, id_space)).toBe(true)
    const entries = await selectAudit(target, id_space, { before: undefined, limit: 10 })
    const ended = { ended_sessions: 1, ended_links: 1, revoked_keys: revokeKeys ? 2 : 0 }
    expect(entries.find(({ action }) => action === 'backup.restored')).toMatchObject({
      about: ended,
    })
    const revoked = entries.filter(({ action }) => action === 'key.revoked')
    expect(revoked).toHaveLength(revokeKeys ? 2 : 0)
  }
})

test('a backup contains every table except the list of migrations, and no table uses a sequence', async () => {
  const names = await run<{ name: string; kind: string }[]>(app.db)`
    select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I', 'c', 't', 'v')
    order by 1`
  expect(names.filter(({ kind }) => kind !== 'r')).toEqual([])
  const { tables } = (await backUpToFile(app.db, newFile(), { now })).header
  expect(tables.map(({ name }) => name).sort()).toEqual(
    names.map(({ name }) => name).filter((name) => name !== 'schema_migration'),
  )
})

test('a table of a later migration is in the next backup', async () => {
  const { pool } = await databases.create('schema')
  await run(
    pool,
  )`create table later (id int primary key, twice int generated always as (id * 2) stored)`
  await run(pool)`insert into later values (21)`
  const file = newFile()
  await backUpToFile(pool, file, { now })
  const target = await databases.create()
  const load = async () => restoreBackup(target.pool, file, await checkBackup(file))
  await expect(load()).rejects.toThrow(/has a table later that Rapport does not create/)
  await run(target.pool)`
    create table later (id int primary key, twice int generated always as (id * 2) stored)`
  await load()
  expect(await run(target.pool)`select * from later`).toEqual([{ id: 21, twice: 42 }])
})

test('tables that refer to each other in a circle are an error', () => {
  const table = (name: string, ...parents: string[]) => ({ name, columns: [], parents })
  const ordered = parentsFirst([table('a', 'b'), table('b', 'c'), table('c')])
  expect(ordered.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  expect(() => parentsFirst([table('a', 'b'), table('b', 'a')])).toThrow(/a, b reference .* cycle/)
})

test('a backup during writes is one snapshot: it has a lead with its tag, or neither', async () => {
  const space = await app.workspace()
  const tag = (await space.post('/tags', { name: 'Warm' })).body.id
  const { id_space } = space
  // Enough rows that the COPY takes some time, and that the driver pauses its socket.
  await run(app.db)`
    insert into lead (id_space, id, first_name, created_at)
    select ${id_space}, gen_random_uuid(), repeat('x', 200), now() from generate_series(1, 3000)`
  await run(app.db)`
    insert into lead_tag select id_space, id, ${tag} from lead where id_space = ${id_space}`
  let isWriting = true
  const writers = Array.from({ length: 3 }, async () => {
    while (isWriting) expect((await space.post('/lead', { tags: [tag] })).status).toBe(200)
  })
  const file = newFile()
  await backUpToFile(app.db, file, { now })
  isWriting = false
  await Promise.all(writers)

  const copy = await restored(file)
  const count = async (db: Pool) => {
    const [row] = await run<[{ count: number }]>(db)`select count(*) from lead_tag`
    return row.count
  }
  const [alone] = await run(copy)`
    select count(*) from lead l where id_space = ${id_space} and not exists (
      select from lead_tag t where t.id_space = ${id_space} and t.id_lead = l.id)`
  expect(alone?.count).toBe(0)
  expect(await count(copy)).toBeGreaterThanOrEqual(3000)
  expect(await count(copy)).toBeLessThan(await count(app.db))
})

test('if the output fails, the backup fails with that error and releases the database', async () => {
  let taken = 0
  const full = new Writable({
    write(chunk, _encoding, done) {
      taken += chunk.length
      const error = Object.assign(new Error('ENOSPC: no space left on device'), {
        syscall: 'write',
      })
      done(taken > 30_000 ? error : null)
    },
  })
  await run(app.db)`
    insert into lead (id_space, id, first_name, created_at)
    select id_space, gen_random_uuid(), md5(i::text) || md5((-i)::text), now()
    from generate_series(1, 5000) i, (select id_space from space limit 1) s`
  await expect(writeBackup(app.db, full, { now })).rejects.toThrow('no space left')
  const stopped = new AbortController()
  const onProgress = (rows: number) => rows > 2000 && stopped.abort()
  const file = newFile()
  await expect(
    backUpToFile(app.db, file, { now, signal: stopped.signal, onProgress }),
  ).rejects.toThrow('aborted')
  await expect(stat(`${file}.partial`)).rejects.toThrow('ENOENT')
  const copies = await run(app.db)`
    select pid from pg_stat_activity where datname = current_database() and query like 'copy%'`
  expect(copies).toEqual([])
})

test('an existing file is replaced only with --force, and an old partial file does not matter', async () => {
  const file = newFile()
  await writeFile(file, 'precious')
  await writeFile(`${file}.partial`, 'left by a killed process')
  await expect(backUpToFile(app.db, file, { now })).rejects.toThrow(/already exists.*--force/)
  expect(await readFile(file, 'utf8')).toBe('precious')
  await backUpToFile(app.db, file, { now, force: true })
  await checkBackup(file)
  await expect(stat(`${file}.partial`)).rejects.toThrow('ENOENT')
  await expect(backUpToFile(app.db, folder, { now })).rejects.toThrow(/is a folder/)
  await expect(backUpToFile(app.db, `${file}/x`, { now })).rejects.toThrow(BackupError)
})

test('a database without Rapport tables cannot be backed up', async () => {
  const { pool } = await databases.create()
  await expect(backUpToFile(pool, newFile(), { now })).rejects.toThrow(/Nothing to back up/)
})

test('the file can be read without this program: it contains rows for psql', async () => {
  const { pool } = await databases.create('schema')
  await run(pool)`insert into space values (${newId()}, ${'North\tteam'}, 'UTC', ${now})`
  const file = newFile()
  await backUpToFile(pool, file, { now })
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split('\n')
  expect(lines[0]).toMatch(/^-- rapport backup {"format":1,/)
  const at = lines.indexOf(
    'copy "space" ("id_space", "name", "time_zone", "created_at", "second_factor", "currency", "is_new") from stdin;',
  )
  expect(lines[at + 1]).toMatch(
    /^[0-9a-f-]{36}\tNorth\\tteam\tUTC\t2026-11-15 04:00:00\+00\toptional\t\tf$/,
  )
  expect(lines[at + 2]).toBe('\\.')
  expect(lines.at(-2)).toMatch(/^-- end {"sha256":"[0-9a-f]{64}"}$/)
})

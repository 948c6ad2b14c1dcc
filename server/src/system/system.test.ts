import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '@rapport/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOnCluster } from '../../test/databases.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { deleteKeys, deleteSpace } from '../access/access.sql.ts'
import { backUpToFile } from '../backup/file.ts'
import { run } from '../db/sql.ts'

const folder = await mkdtemp(join(tmpdir(), 'rapport system '))
const app = service({
  config: { backupDir: folder, dataDir: folder, backupEvery: 86_400_000 },
  connections: 2,
})
let space: Workspace
/** To the time of the database. */
async function setClock() {
  const [row] = await run<[{ now: string }]>(app.db)`select clock_timestamp() as now`
  app.clock.now = new Date(row.now)
}

beforeAll(async () => {
  space = await app.workspace()
  await setClock()
})
afterAll(() => rm(folder, { recursive: true }))

const checks = async (): Promise<Record<string, Check>> => {
  const { status, body } = await space.get('/system')
  expect(status).toBe(200)
  return Object.fromEntries(body.checks.map((check: Check) => [check.name, check]))
}

const backUp = (ago: number) => {
  const time = new Date(app.clock.now.getTime() - ago).toISOString().slice(0, 19)
  return writeFile(join(folder, `rapport-${time.replaceAll(':', '-')}Z.backup`), '')
}

test('an admin of a new installation restores a backup from the page', async () => {
  const north = await app.workspace()
  await north.post('/lead', { first_name: 'Ada' })
  const { id_space } = north
  const file = join(folder, 'north')
  const { header } = await backUpToFile(app.db, file, { now: app.clock.now, space: id_space })
  const isNew = async () => (await space.get('/system')).body.is_new
  expect(await isNew()).toBe(false)
  await deleteKeys(app.db, id_space)
  await deleteSpace(app.db, id_space)
  expect(await isNew()).toBe(true)

  const content = await readFile(file)
  const restore = (headers: Record<string, string>, body = content) =>
    app.request('/session/restore', {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', ...headers },
      body,
    })
  const { port } = new URL(app.url)
  const sessionOf = async (member: string) => ({
    'Sec-Fetch-Site': 'same-origin',
    Cookie: `rapport-${port}=${(await app.person(space, member)).key}`,
  })
  const admin = await sessionOf(space.owner)
  const refused = await Promise.all([
    restore({ 'X-API-KEY': space.key, 'Sec-Fetch-Site': 'same-origin' }),
    restore(await sessionOf(await app.member(space, 'write'))),
    restore({ ...admin, 'Sec-Fetch-Site': 'cross-site' }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 401])
  const cut = await restore(admin, content.subarray(0, 400))
  expect(cut).toMatchObject({
    status: 400,
    body: { issues: [{ message: expect.stringMatching(/^The file is damaged .*Nothing was/) }] },
  })

  // A restore may take long. It leaves the connections of requests alone.
  let restoring: ReturnType<typeof restore> | undefined
  await app.db.begin(async (tx) => {
    await run(tx)`lock table campaign in share mode`
    restoring = restore(admin)
    await expectLockWaits(app.db, 1, 'campaign')
    expect((await space.post('/leads/list', {})).status).toBe(200)
  })
  const { status, body } = (await restoring) as Awaited<ReturnType<typeof restore>>
  expect(status).toBe(200)
  expect(body).toMatchObject({
    rows: header.tables.reduce((sum, { rows }) => sum + rows, 0),
    made_at: header.created_at,
    sign_in: expect.stringMatching(/^\/#sign-in=rl_/),
  })
  const [{ about }] = (await space.get('/audit?limit=1')).body.entries
  expect(about).toMatchObject({ workspaces: body.workspaces })
  expect(JSON.stringify(about)).not.toContain('rl_')
  expect((await north.post('/leads/list', {})).body.total).toBe(1)
  // What is here now is not overwritten.
  expect([await isNew(), (await restore(admin)).status]).toEqual([false, 409])
})

test('says in words how the installation is doing, and what to do', async () => {
  for (const name of ['Ada', 'Grace']) await space.post('/lead', { first_name: name })
  const other = await app.workspace()
  await other.post('/lead', { first_name: 'Elsewhere' })
  await setClock()
  const found = await checks()
  expect(found.release?.text).toMatch(/^Rapport \d/)
  expect(found.schema).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/^\d{4}_.*newest/),
  })
  expect(found.workspace?.text).toMatch(
    isOnCluster() ? /^2 leads\.$/ : /^2 leads and about [\d.]+ [kM]B on disk\.$/,
  )
  expect(found.database?.text).toMatch(/^The bundled PostgreSQL \d+\.\d+.* takes [\d.]+ MB\.$/)
  expect(found.clock).toMatchObject({ state: 'ok' })
  expect(found.connections?.text).toMatch(/^\d+ of \d+ connections/)
  expect(found.rights).toMatchObject({ state: 'ok' })
  expect(found.address).toMatchObject({ state: 'ok', advice: null })
  expect(found.backups).toMatchObject({
    state: 'error',
    text: 'There is no backup yet. One is due every 1 day.',
  })
})

test('a late backup is an error', async () => {
  await backUp(49 * 3_600_000)
  expect((await checks()).backups).toMatchObject({
    state: 'error',
    text: 'The last backup is 2 days old. One is due every 1 day. It is late.',
    advice: expect.stringContaining('Backup failed'),
  })
  await backUp(3 * 3_600_000)
  expect((await checks()).backups).toMatchObject({
    state: 'ok',
    text: 'The last backup is 3 hours old. One is due every 1 day.',
  })
  await backUp(-86_400_000)
  expect((await checks()).backups).toMatchObject({
    state: 'warning',
    text: '1 backup in BACKUP_DIR is from the future.',
  })
})

test('late work, a wrong clock, open folders and an unknown proxy are told', async () => {
  const date = new Date(app.clock.now.getTime() + 60_000).toISOString()
  await space.post('/reminders', { name: 'Call', date, ressource_link: '' })
  app.clock.advance(3_660_000)
  await chmod(folder, 0o755)
  await app.request('/healthz', { headers: { 'X-Forwarded-For': '10.0.0.1' } })
  const found = await checks()
  expect(found.background).toMatchObject({
    state: 'error',
    text: expect.stringContaining('Reminders are 1 hour late.'),
  })
  expect(found.clock?.text).toMatch(/The clock of the database is 1 hour behind\.$/)
  expect(found.rights?.text).toBe('Other accounts of this machine can read DATA_DIR, BACKUP_DIR.')
  expect(found.address).toMatchObject({
    state: 'warning',
    advice: 'If this is your proxy, set TRUST_PROXY to its address.',
  })
  expect(JSON.stringify(found)).not.toContain(folder)
})

test('only for admins', async () => {
  expect((await app.as(await app.key(space, 'write')).get('/system')).status).toBe(403)
})

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { nameAt, nameBefore, timeOf } from './folder.ts'
import { checkBackup } from './restore.ts'
import { type ScheduledBackups, type ScheduleOptions, scheduleBackups } from './schedule.ts'

const app = service()
const hour = 3_600_000
let folder: string
let started: ScheduledBackups[]
let told: string[]
let failures: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-schedule-'))
  started = []
  told = []
  failures = []
  app.clock.now = new Date('2026-11-15T04:00:00.000Z')
})
afterEach(async () => {
  await Promise.all(started.map((one) => one.stop()))
  await rm(folder, { recursive: true, force: true })
})

/** A server that makes a backup every 24 hours and keeps the newest 3. */
function server(into = folder, more: Partial<ScheduleOptions> = {}): ScheduledBackups {
  const made = scheduleBackups({
    ...more,
    db: app.db,
    folder: into,
    everyMs: 24 * hour,
    keep: 3,
    clock: () => app.clock.now,
    log: {
      info: (text) => told.push(text),
      error: (_about, text) => failures.push(text),
    },
  })
  started.push(made)
  return made
}

const stopAll = async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()))
}

test('file names contain the time, and can be parsed', () => {
  const time = new Date('2026-11-15T04:00:00.000Z')
  expect(nameAt(time)).toBe('rapport-2026-11-15T04-00-00Z.backup')
  expect(timeOf(nameAt(time))).toEqual(time)
  expect(timeOf('rapport-2026-11-15T04-00-00Z.backup.partial')).toBeUndefined()
  expect(timeOf('my-rapport-2026-11-15T04-00-00Z.backup')).toBeUndefined()
})

test('makes the first backup at once, then one per interval, also across restarts', async () => {
  const first = server()
  const file = join(folder, 'rapport-2026-11-15T04-00-00Z.backup')
  expect(await first.tick()).toBe(file)
  await checkBackup(file)
  expect(told).toEqual([expect.stringContaining(`Backed up to ${file}`)])
  app.clock.advance(24 * hour - 1)
  expect(await first.tick()).toBeUndefined()
  await stopAll()
  const second = server()
  expect(await second.tick()).toBeUndefined()
  app.clock.advance(1)
  expect(await second.tick()).toMatch(/2026-11-16T04-00-00Z/)
  expect(failures).toEqual([])
})

test('keeps the newest backups, and deletes no other files', async () => {
  const others = [
    'rapport-before-0006_imports.backup',
    'rapport-2026-01-01T00-00-00Z.backup.old',
    'my.backup',
    'mine.backup.partial',
  ]
  const old = nameAt(new Date('2025-01-01T00:00:00Z'))
  for (const name of [...others, old, `${old}.partial`]) await writeFile(join(folder, name), 'x')
  const one = server()
  for (let day = 0; day < 5; day++) {
    await one.tick()
    app.clock.advance(24 * hour)
  }
  expect((await readdir(folder)).sort()).toEqual(
    [
      ...others,
      'rapport-2026-11-17T04-00-00Z.backup',
      'rapport-2026-11-18T04-00-00Z.backup',
      'rapport-2026-11-19T04-00-00Z.backup',
    ].sort(),
  )
})

test('a backup from the future does not stop them, and is reported once', async () => {
  const future = nameAt(new Date('2031-01-01T00:00:00Z'))
  await writeFile(join(folder, future), 'x')
  const one = server()
  for (let day = 0; day < 5; day++) {
    expect(await one.tick()).toBeDefined()
    app.clock.advance(24 * hour)
  }
  expect(failures).toEqual([
    expect.stringMatching(`^Ignored 1 backups? from the future .*${future}`),
  ])
  expect(await readdir(folder)).toContain(future)
  expect(await readdir(folder)).toHaveLength(4)
})

test('of the backups before migrations the last three are kept', async () => {
  const names = ['0006_imports', '0009_undo', '0011_search', '0020_views'].map(nameBefore)
  for (const name of names) await writeFile(join(folder, name), 'x')
  await server().tick()
  expect((await readdir(folder)).filter((name) => name.includes('before')).sort()).toEqual(
    names.slice(1),
  )
})

test('a late backup is an error in the log', async () => {
  const one = server()
  await one.tick()
  await rm(folder, { recursive: true })
  await mkdir(folder)
  await writeFile(join(folder, nameAt(app.clock.now)), 'x')
  app.clock.advance(48 * hour)
  await one.tick()
  expect(failures).toEqual([
    expect.stringMatching(/^The last backup is late: it is from 2026-11-15T04/),
  ])
})

test('only one of several servers makes backups; when it stops, another one does', async () => {
  const elsewhere = join(folder, 'another machine')
  const [one, two] = [server(), server(elsewhere)]
  const made = await Promise.all([one.tick(), two.tick()])
  expect(made.filter(Boolean)).toHaveLength(1)
  app.clock.advance(24 * hour)
  const next = [await one.tick(), await two.tick()]
  expect(next.map(Boolean)).toEqual(made.map(Boolean))
  await (made[0] ? one : two).stop()
  app.clock.advance(24 * hour)
  expect(await (made[0] ? two : one).tick()).toBeDefined()
})

test('two servers with one folder make one backup', async () => {
  const made = await Promise.all([server().tick(), server().tick()])
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await readdir(folder)).toHaveLength(1)
})

test('a failure is logged and retried later, and the server keeps running', async () => {
  const blocked = join(folder, 'blocked')
  await writeFile(blocked, 'a file where a folder should be')
  const one = server(blocked)
  expect(await one.tick()).toBeUndefined()
  expect(await one.tick()).toBeUndefined()
  expect(failures).toEqual([expect.stringMatching(/^Backup failed: EEXIST/)])
  await rm(blocked)
  app.clock.advance(10 * 60_000)
  expect(await one.tick()).toBeDefined()
})

test('starts and stops with the server', async () => {
  const one = server()
  one.start()
  await expect.poll(() => told, { interval: 20 }).toHaveLength(1)
  await one.stop()
  const late = server()
  late.start()
  await late.stop()
  expect(await readdir(folder)).toHaveLength(1)
})

/** A small object storage. It lists two names at a time. */
async function objectStorage() {
  const objects = new Map<string, Buffer>()
  const state = { isDown: false }
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const content = Buffer.concat(pieces)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage')
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code><Message>No</Message></Error>`)
    if (state.isDown) return refuse(503, 'SlowDown')
    if (!request.headers.authorization?.includes('Credential=AKIA/')) return refuse(403, 'Denied')
    if (request.headers['x-amz-content-sha256'] !== sha256(content)) return refuse(400, 'BadDigest')
    const key = pathname.replace('/box/', '')
    const kept = objects.get(key)
    if (request.method === 'PUT') objects.set(key, content)
    else if (request.method === 'DELETE') objects.delete(key)
    else if (request.method === 'HEAD') {
      if (!kept) return response.writeHead(404).end()
      return response.writeHead(200, { 'content-length': kept.length }).end()
    } else {
      const after = searchParams.get('continuation-token') ?? ''
      const prefix = searchParams.get('prefix') ?? ''
      const names = [...objects.keys()]
        .sort()
        .filter((name) => name.startsWith(prefix) && name > after)
      const more =
        names.length > 2 ? `<NextContinuationToken>${names[1]}</NextContinuationToken>` : ''
      const keys = names.slice(0, 2).map((name) => `<Contents><Key>${name}</Key></Contents>`)
      return response.end(`<ListBucketResult>${keys.join('')}${more}</ListBucketResult>`)
    }
    response.end()
  }
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/box/crm`)
  const settings = { url, region: 'us-east-1', keyId: 'AKIA', secret: 'secret' }
  return { objects, state, settings, close: () => http.close() }
}

test('an object storage gets each backup, keeps as many, and is tried again after a failure', async () => {
  const remote = await objectStorage()
  try {
    const { objects, state, settings: storage } = remote
    objects.set('crm/rapport-2026-01-01T00-00-00Z.backup.old', Buffer.from('not ours'))
    objects.set('elsewhere/rapport-2020-01-01T00-00-00Z.backup', Buffer.from('not ours'))
    const key = 'a key of thirty-two characters!!'
    const log = join(folder, 'hook.log')
    const one = server(folder, { storage, key, hook: `echo "$BACKUP_FILE" >> '${log}'` })
    const names: string[] = []
    for (let day = 0; day < 4; day++) {
      names.push(`crm/${basename((await one.tick()) ?? '')}`)
      app.clock.advance(24 * hour)
    }
    const ours = () => [...objects.keys()].filter((name) => /^crm.*backup$/.test(name)).sort()
    expect(ours()).toEqual(names.slice(1))
    expect(objects.size).toBe(5)
    expect(
      (await readFile(log, 'utf8'))
        .trim()
        .split('\n')
        .map((file) => basename(file)),
    ).toEqual(names.map((name) => basename(name)))
    // It comes back as it was, encrypted.
    const copy = join(folder, 'copy')
    await writeFile(copy, objects.get(names[3] ?? '') ?? '')
    await expect(checkBackup(copy)).rejects.toThrow('is encrypted')
    expect((await checkBackup(copy, { key })).header.created_at).toBe('2026-11-18T04:00:00.000Z')

    state.isDown = true
    expect(await one.tick()).toBeUndefined()
    expect(failures).toEqual([expect.stringMatching(/^Backup failed: GET \S+: 503 SlowDown No$/)])
    state.isDown = false
    expect(await one.tick()).toBeUndefined()
    expect(ours()).toHaveLength(3)
    app.clock.advance(600_000)
    // The backup of that day is here already. Only its copy was missing.
    expect(await one.tick()).toBeUndefined()
    expect(ours().at(-1)).toBe('crm/rapport-2026-11-19T04-00-00Z.backup')
    expect(ours()).toHaveLength(3)
    expect(failures).toHaveLength(1)
  } finally {
    remote.close()
  }
})

test('a hook that fails is told, and the backup stays', async () => {
  const file = await server(folder, { hook: 'echo no space >&2; exit 3' }).tick()
  expect(failures).toEqual(['BACKUP_HOOK failed: its exit status is 3: no space'])
  expect(await readdir(folder)).toEqual([basename(file ?? '')])
})

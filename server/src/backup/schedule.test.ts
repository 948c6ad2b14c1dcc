import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { nameAt, nameBefore, timeOf } from './folder.ts'
import { checkBackup } from './restore.ts'
import { type ScheduledBackups, scheduleBackups } from './schedule.ts'

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
function server(into = folder): ScheduledBackups {
  const made = scheduleBackups({
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

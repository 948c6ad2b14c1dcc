import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillFolder, sharePrograms } from '../../test/data-folder.ts'
import { connect, type Pool, type Target } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import { findPackage, stageBinaries } from './binaries.ts'
import { type Engine, EngineError, openEngine } from './engine.ts'
import type { Role } from './roles.ts'
import { fitsSocket } from './socket-folder.ts'

const root = process.getuid?.() === 0
const here = import.meta.dirname
const sources = path.resolve(here, '..')
const repository = path.resolve(sources, '../..')

let compiled: string
const cleanUp: (() => unknown)[] = []
let lines: string[] = []

/** The processes that the tests kill run a copy of what is built, where every account can read it. */
beforeAll(() => {
  compiled = mkdtempSync(path.join(os.tmpdir(), 'rapport-engine-'))
  symlinkSync(path.join(repository, 'node_modules'), path.join(compiled, 'node_modules'))
  cpSync(path.join(repository, 'server/dist-tools'), compiled, { recursive: true })
  writeFileSync(path.join(compiled, 'package.json'), '{"type":"module"}')
  chmodSync(compiled, 0o755)
})

afterAll(() => rmSync(compiled, { recursive: true, force: true }))

afterEach(async () => {
  while (cleanUp.length > 0) await cleanUp.pop()?.()
  lines = []
})

function newFolder(parent = os.tmpdir()): string {
  const folder = realpathSync(mkdtempSync(path.join(parent, 'rapport-test-')))
  // A server that another process has left may still be writing its last file.
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** A data folder that is not new. */
async function usedFolder(folder = newFolder()): Promise<string> {
  await fillFolder(folder)
  return folder
}

/** A data folder with PostgreSQL's programs only: a start need not copy them. */
async function folderWithPrograms(): Promise<string> {
  const folder = newFolder()
  await sharePrograms(folder)
  return folder
}

async function open(dataDir: string, transport?: 'socket' | 'loopback'): Promise<Engine> {
  const engine = await openEngine({
    dataDir,
    log: (line) => lines.push(line),
    ...(transport && { transport }),
  })
  cleanUp.push(async () => {
    await engine.leave()
    const { host = '' } = engine.connections.service
    if (host.startsWith('/tmp/rapport-') && !host.startsWith(dataDir)) {
      rmSync(host, { recursive: true, force: true })
    }
  })
  return engine
}

function pool({ connections }: Pick<Engine, 'connections'>, role: Role = 'owner'): Pool {
  return poolOf(connections[role])
}

function poolOf(target: Target): Pool {
  const db = connect(target, { max: 2 })
  cleanUp.push(() => db.end({ timeout: 0 }))
  return db
}

async function holder(dataDir: string): Promise<Engine & { child: ChildProcess }> {
  const script = path.join(here, 'test-holder.mjs')
  const args = [script, path.join(compiled, 'engine', 'engine.js'), dataDir]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  cleanUp.push(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  return {
    ...JSON.parse(line),
    child,
    async leave() {
      child.stdin.write('leave\n')
      expect((await exited)[0]).toBe(0)
    },
  }
}

function pidFile(dataDir: string): string {
  return path.join(dataDir, 'postgres', 'postmaster.pid')
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10)
}

/** A zombie process does not count. */
function isAlive(pid: number): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${condition}`)
    await sleep(10)
  }
}

function answers(db: Pool): Promise<boolean> {
  return run(db)`select 1`.then(
    () => true,
    () => false,
  )
}

test('the first start creates the database, the next one finds the data again', async () => {
  const dataDir = path.join(newFolder(), 'made', 'by itself')
  const first = await open(dataDir)
  expect(first.how).toBe('created')
  const db = pool(first)
  await run(db)`create table kept as select 'Zoë'::text as name`
  await db.end()
  const pid = postmasterPid(dataDir)
  await first.leave()
  await until(() => !isAlive(pid))
  expect(existsSync(pidFile(dataDir))).toBe(false)

  const second = await open(dataDir)
  expect(second.how).toBe('started')
  expect(await run(pool(second), sql`select name from kept`)).toEqual([{ name: 'Zoë' }])
  expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('writes are safe, and search sees letters outside ASCII', async () => {
  const db = pool(await open(await usedFolder()))
  const [settings] = await run(db)`
    select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
      current_setting('server_encoding') as encoding, current_setting('listen_addresses') as listen`
  expect(settings).toEqual({ fsync: 'on', checksums: 'on', encoding: 'UTF8', listen: '' })
  await run(db)`create extension if not exists pg_trgm`
  const [row] = await run(db)`select lower('ÄД') as lower, similarity('Дом', 'дома') as alike`
  expect(row).toEqual({ lower: 'äд', alike: 0.5 })
})

test('after a kill -9 the next process takes the running server over', async () => {
  const dataDir = await usedFolder()
  const killed = await holder(dataDir)
  expect(killed.how).toBe('started')
  const pid = postmasterPid(dataDir)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')

  const engine = await open(dataDir)
  expect(engine.how).toBe('attached')
  expect(postmasterPid(dataDir)).toBe(pid)
  await engine.leave()
  await until(() => !isAlive(pid))
})

test('two processes share one server, and the last to leave stops it', async () => {
  const dataDir = await usedFolder()
  const first = await holder(dataDir)
  const second = await open(dataDir)
  expect(second.how).toBe('attached')
  const pid = postmasterPid(dataDir)
  await first.leave()
  expect(await answers(pool(second))).toBe(true)
  expect(postmasterPid(dataDir)).toBe(pid)
  await second.leave()
  await until(() => !isAlive(pid))
})

test('four processes starting at once on an empty folder end with one server', async () => {
  const dataDir = await folderWithPrograms()
  const all = await Promise.all([1, 2, 3, 4].map(() => holder(dataDir)))
  expect(all.filter((one) => one.how === 'created').length).toBe(1)
  const pid = postmasterPid(dataDir)
  for (const one of all) expect(await answers(pool(one))).toBe(true)
  await Promise.all(all.map((one) => one.leave()))
  await until(() => !isAlive(pid))
  expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('a start waits for a stopping server and starts its own', async () => {
  const dataDir = await usedFolder()
  const first = await open(dataDir)
  for (let round = 0; round < 5; round++) {
    const leaving = first.leave()
    const next = await open(dataDir)
    await leaving
    expect(await answers(pool(next))).toBe(true)
  }
})

test('a killed server comes back by itself at the same address', async () => {
  const dataDir = await usedFolder()
  const other = await holder(dataDir)
  const engine = await open(dataDir)
  const db = pool(engine)
  // On a slow machine it also says that it waits.
  const said = () => lines.filter((line) => !line.startsWith('Waiting'))
  await run(db)`create table kept as select 1 as one`
  for (let round = 1; round <= 2; round++) {
    const pid = postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await until(() => said().length === 2 * round)
    await until(() => answers(db))
    expect(await run(db)`select one from kept`).toEqual([{ one: 1 }])
    expect(postmasterPid(dataDir)).not.toBe(pid)
  }
  expect(said().slice(0, 2)).toEqual([
    'PostgreSQL stopped unexpectedly. Restarting it',
    'PostgreSQL is back',
  ])
  await engine.leave()
  expect(await answers(pool(other))).toBe(true)
})

test('leaving while the server is coming back leaves nothing running', async () => {
  const dataDir = await usedFolder()
  const engine = await open(dataDir)
  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await until(() => lines.length > 0)
  await engine.leave()
  await until(() => !existsSync(pidFile(dataDir)) || !isAlive(postmasterPid(dataDir)))
})

test('a data folder named with blanks, letters, quotes and what a shell would read', async () => {
  const dataDir = path.join(newFolder(), `Größe – 客户 it's "so" $HOME \`id\` \\ ; %s`)
  const engine = await open(dataDir)
  expect(engine.how).toBe('created')
  await expectItStartsAgain(dataDir, engine)
})

test.each([
  ['a comma', 'leads, lists'],
  ['a path too long for a socket', path.join('x'.repeat(60), 'ü'.repeat(40))],
])('a data folder named with %s', async (_, name) => {
  const dataDir = path.join(newFolder(), name)
  mkdirSync(dataDir, { recursive: true })
  await expectItStartsAgain(dataDir, await open(await usedFolder(dataDir)))
})

async function expectItStartsAgain(dataDir: string, engine: Engine): Promise<void> {
  const db = pool(engine)
  expect(await answers(db)).toBe(true)
  await db.end()
  await engine.leave()
  expect((await open(dataDir)).how).toBe('started')
}

test('the socket is in the data folder when its path fits', () => {
  const bytes = Buffer.byteLength('/.s.PGSQL.5432')
  const longest = process.platform === 'linux' ? 107 : 103
  expect(fitsSocket(`/${'a'.repeat(longest - bytes - 1)}`)).toBe(true)
  expect(fitsSocket(`/${'a'.repeat(longest - bytes)}`)).toBe(false)
  expect(fitsSocket(`/${'ü'.repeat(longest - bytes - 1)}`)).toBe(false)
  expect(fitsSocket('/a,b')).toBe(false)
})

test('over loopback a password is asked, and the port stays', async () => {
  const dataDir = await usedFolder()
  const engine = await open(dataDir, 'loopback')
  expect(engine.connections.service).toMatchObject({
    host: '127.0.0.1',
    password: expect.any(String),
  })
  expect(statSync(path.join(dataDir, 'password')).mode & 0o777).toBe(0o600)
  const db = pool(engine)
  await run(db)`create table kept as select 1 as one`
  const stranger = poolOf({ ...engine.connections.service, password: 'guess' })
  await expect(run(stranger)`select 1`).rejects.toMatchObject({ code: '28P01' })

  // The second process uses the transport that is there.
  const second = await open(dataDir, 'socket')
  expect(second.connections).toEqual(engine.connections)
  await second.leave()

  process.kill(postmasterPid(dataDir), 'SIGKILL')
  await until(() => lines.length === 2)
  await until(() => answers(db))
  await db.end()
  await engine.leave()

  const again = await open(dataDir, 'loopback')
  expect(again.connections).toEqual(engine.connections)
  await again.leave()
  const bySocket = await open(dataDir, 'socket')
  expect(bySocket.connections.service.host).toContain('/')
  expect(await run(pool(bySocket), sql`select one from kept`)).toEqual([{ one: 1 }])
})

test('others can read nothing of the data, also if the umask would let them', async () => {
  const dataDir = path.join(newFolder(), 'data')
  const before = process.umask(0)
  await open(dataDir).finally(() => process.umask(before))
  expect(statSync(dataDir).mode & 0o777).toBe(root ? 0o711 : 0o700)
  const readable = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^engine(\/|$)/.test(name))
    .filter((name) => (statSync(path.join(dataDir, name)).mode & 0o077) !== 0)
  expect(readable).toEqual([])
})

test('data of another major version is refused and not touched', async () => {
  const dataDir = newFolder()
  mkdirSync(path.join(dataDir, 'postgres'))
  writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  const refused = await open(dataDir).catch((error) => error)
  expect(refused).toBeInstanceOf(EngineError)
  expect(refused.message).toMatch(
    /created by PostgreSQL 17, but this Rapport bundles PostgreSQL 18/,
  )
  expect(readdirSync(path.join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
})

test('a folder with other things where the data goes is refused', async () => {
  const dataDir = await folderWithPrograms()
  mkdirSync(path.join(dataDir, 'postgres'))
  writeFileSync(path.join(dataDir, 'postgres', 'notes.txt'), 'mine')
  await expect(open(dataDir)).rejects.toThrow(/not empty and does not contain PostgreSQL data/)
  expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('a pid file whose process id now belongs to another program does no harm', async () => {
  const dataDir = await usedFolder()
  const engine = await open(dataDir)
  const pid = readFileSync(pidFile(dataDir), 'utf8')
  const lockFile = path.join(engine.connections.service.host ?? '', '.s.PGSQL.5432.lock')
  const lock = readFileSync(lockFile, 'utf8')
  await engine.leave()

  const { uid, gid } = statSync(path.join(dataDir, 'postgres'))
  const program = spawn('sleep', ['60'], root ? { uid, gid } : {})
  cleanUp.push(() => program.kill())
  for (const reused of [program.pid, process.pid]) {
    for (const [file, text] of [
      [pidFile(dataDir), pid],
      [lockFile, lock],
    ] as const) {
      writeFileSync(file, text.replace(/^\d+/, String(reused)), { mode: 0o600 })
      if (root) chownSync(file, uid, gid)
    }
    const again = await open(dataDir)
    expect(again.how).toBe('started')
    await again.leave()
  }
  expect(program.exitCode).toBe(null)
})

test('an empty pid file, left by a power failure, does no harm', async () => {
  const dataDir = await usedFolder()
  writeFileSync(pidFile(dataDir), '')
  utimesSync(pidFile(dataDir), 0, 0)
  expect((await open(dataDir)).how).toBe('started')
})

test('a database that is missing, because the first start was interrupted, is created', async () => {
  const dataDir = await usedFolder()
  const engine = await open(dataDir)
  const db = poolOf({ ...engine.connections.superuser, database: 'postgres' })
  await run(db)`drop database rapport`
  await db.end()
  await engine.leave()
  expect(await answers(pool(await open(dataDir)))).toBe(true)
})

test('a server that cannot start says why', async () => {
  const dataDir = await usedFolder()
  rmSync(path.join(dataDir, 'postgres', 'global', 'pg_control'))
  const refused = await open(dataDir).catch((error) => error)
  expect(refused).toBeInstanceOf(EngineError)
  expect(refused.message).toMatch(/pg_control/)
  expect(refused.message).not.toContain('\n')
})

test('staged binaries: a broken draft is never used, and racing processes agree', async () => {
  const folder = newFolder()
  const source = await findPackage()
  const draft = path.join(folder, `${source.name}.new-999999999-cafe`)
  mkdirSync(draft)
  const [one, two] = await Promise.all([1, 2].map(() => stageBinaries(source, folder)))
  expect(one).toEqual(two)
  expect(readdirSync(folder)).toEqual([source.name])
  const program = path.join(one?.root ?? '', 'bin', 'postgres')
  expect(execFileSync(program, ['--version']).toString()).toContain(`PostgreSQL) ${one?.major}.`)
})

describe.runIf(root)('as root', () => {
  test('PostgreSQL runs under another account, in a folder that root alone could enter', async () => {
    const dataDir = newFolder()
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40700 })
    await open(dataDir)
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).not.toBe(0)
  })

  test("a folder with somebody's files keeps its owner", async () => {
    const dataDir = newFolder()
    writeFileSync(path.join(dataDir, 'notes.txt'), 'mine')
    const engine = await open(dataDir)
    expect(await answers(pool(engine))).toBe(true)
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40700 })
    expect(statSync(path.join(dataDir, 'notes.txt')).uid).toBe(0)
  })

  test('data below a closed folder works, and nothing is opened up for it', async () => {
    const closed = newFolder(os.homedir())
    const dataDir = path.join(closed, 'my data')
    const engine = await open(dataDir)
    const db = pool(engine)
    await run(db)`create table kept as select 1 as one`
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await until(() => lines.some((line) => line === 'PostgreSQL is back'))
    await until(() => answers(db))
    await db.end()
    await engine.leave()
    const again = await open(dataDir)
    expect(again.how).toBe('started')
    expect(await run(pool(again), sql`select one from kept`)).toEqual([{ one: 1 }])
    expect(statSync(closed)).toMatchObject({ uid: 0, mode: 0o40700 })
  })

  test('data that was restored as root is handed to the account', async () => {
    const dataDir = await usedFolder()
    for (const name of readdirSync(dataDir, { recursive: true }) as string[]) {
      lchownSync(path.join(dataDir, name), 0, 0)
    }
    expect(await answers(pool(await open(dataDir)))).toBe(true)
  })
})

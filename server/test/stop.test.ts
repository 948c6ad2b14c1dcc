// Every way to stop the program, short of kill -9, also stops the bundled PostgreSQL.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { connect } from '../src/db/driver.ts'
import { run, type Sql, sql } from '../src/db/sql.ts'
import { openDataFolder } from '../src/engine/data-folder.ts'
import { openEngine } from '../src/engine/engine.ts'
import { tryStartLock } from '../src/engine/start-lock.ts'
import { fillFolder } from './data-folder.ts'
import { emptyDatabases } from './empty-databases.ts'
import { freePort } from './free-port.ts'
import { firstKeyIn, program as script } from './program.ts'
import { program, type Running, type Serving, serving } from './running-program.ts'

const box = program()
const databases = emptyDatabases()

/** PostgreSQL may take a moment longer than the program that told it to stop. */
const postgresStopped = (folder?: string, ours = expect) =>
  ours.poll(() => box.hasPostgres(folder)).toBe(false)

const signalGroup = ({ child }: Running, signal: NodeJS.Signals) =>
  process.kill(-(child.pid ?? 0), signal)

/** A request that waits for the rest of its body. */
async function openRequest(server: Serving, key: string) {
  const call = request(`${server.url}/rest/tags`, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', Expect: '100-continue' },
  })
  call.on('error', () => {})
  await once(call, 'continue')
  return call
}

const ownKey = { RAPPORT_API_KEY: 'a-key-of-my-own-choice' }

describe('a server that is up', () => {
  // SIGTERM and SIGHUP are sent below.
  test.each([
    ['SIGINT', 0],
    ['SIGQUIT', 'SIGQUIT'],
  ] as const)('%s', async (signal, status) => {
    const server = await box.start({ BACKUP_KEPP: '3' })
    server.child.kill('SIGUSR1')
    server.child.kill('SIGUSR2')
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    server.child.kill(signal)
    expect(await server.ended).toBe(status)
    expect(server.output).not.toContain('Debugger')
    expect(server.output).toContain(
      'BACKUP_KEPP is not a setting of Rapport. Did you mean BACKUP_KEEP?',
    )
    await postgresStopped()
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s for npm alone', async (signal) => {
    const npm = await serving(box.spawned('npm', ['start']))
    npm.child.kill(signal)
    await npm.ended
    await postgresStopped()
    await expect(fetch(`${npm.url}/healthz`)).rejects.toThrow()
  })

  test('the terminal is closed: SIGHUP, and nothing can be printed any more', async () => {
    const npm = await serving(box.spawned('npm', ['start']))
    npm.child.stdout?.destroy()
    npm.child.stderr?.destroy()
    signalGroup(npm, 'SIGHUP')
    await npm.ended
    await postgresStopped()
  })

  test('nothing reads its output any more', async () => {
    // head ends with the first line, which npm prints: the banner has no reader.
    await box.spawned('sh', ['-c', 'npm start | head -n 1']).ended
    await postgresStopped()
  })

  test('its output is closed later', async () => {
    const server = await box.start()
    server.child.stdout?.destroy()
    server.child.stderr?.destroy()
    // The line for the log is what cannot be written.
    await fetch(`${server.url}/rest/tags`).catch(() => {})
    expect(await server.ended).toBe(1)
    await postgresStopped()
  })

  test('a full disk for its output does not stop it', async () => {
    const port = await freePort()
    const command = 'exec "$0" "$1" serve > /dev/full 2> /dev/full'
    const more = { ...ownKey, PORT: String(port) }
    const server = box.spawned('sh', ['-c', command, process.execPath, script], more)
    const headers = { 'X-API-KEY': ownKey.RAPPORT_API_KEY }
    const call = () =>
      fetch(`http://127.0.0.1:${port}/rest/tags`, { headers }).then(
        ({ status }) => status,
        () => undefined,
      )
    await expect.poll(call).toBe(200)
    expect([await call(), await call()]).toEqual([200, 200])
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    await postgresStopped()
  })

  test('a reader of its output that is too slow does not stop it', async () => {
    const server = await box.start(ownKey)
    server.child.stdout?.pause()
    const headers = { 'X-API-KEY': ownKey.RAPPORT_API_KEY }
    const call = async () => (await fetch(`${server.url}/rest/tags`, { headers })).status
    // A pipe takes 64 KB, which is some 400 lines of the log.
    for (let round = 0; round < 20; round++) {
      const statuses = await Promise.all(Array.from({ length: 50 }, call))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    server.child.stdout?.resume()
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
    await postgresStopped()
  })

  test('an error that nothing catches', async () => {
    const defect = btoa('process.on("SIGUSR2", () => { throw new Error("a defect") })')
    const module = `data:text/javascript;base64,${defect}`
    const server = await box.start({ NODE_OPTIONS: `--import=${module}` })
    server.child.kill('SIGUSR2')
    expect(await server.ended).toBe(1)
    expect(server.output).toContain('Error: a defect')
    await postgresStopped()
  })

  test('STOP_DELAY: /readyz returns 503 first, and all other requests are still served', async () => {
    const server = await box.start({ ...ownKey, STOP_DELAY: '1h' })
    const headers = { 'X-API-KEY': ownKey.RAPPORT_API_KEY }
    const status = async (path: string) => (await fetch(server.url + path, { headers })).status
    expect(await status('/readyz')).toBe(200)
    server.child.kill('SIGTERM')
    await expect.poll(() => status('/readyz')).toBe(503)
    expect([await status('/rest/tags'), await status('/healthz')]).toEqual([200, 200])
    const again = setInterval(() => server.child.kill('SIGTERM'), 100)
    expect(await server.ended).toBe('SIGTERM')
    clearInterval(again)
    await postgresStopped()
  })

  test('the second Ctrl-C does not wait for requests in flight', async () => {
    const server = await box.start(ownKey)
    const call = await openRequest(server, ownKey.RAPPORT_API_KEY)
    server.child.kill('SIGINT')
    await server.says(/Stopping after [^\n]*Ctrl-C again/)
    // Signals that follow at once count as the same one, because npm passes its own on.
    const again = setInterval(() => server.child.kill('SIGINT'), 100)
    const started = performance.now()
    await server.ended
    clearInterval(again)
    expect(await server.ended).toBe('SIGINT')
    // By itself it would end only now.
    expect(performance.now() - started).toBeLessThan(15_000)
    call.destroy()
    await postgresStopped()
  })
})

// Each has a folder or a database of its own, so that they can wait together.
describe.concurrent('a server that is starting, or waits', () => {
  test('a request that never ends is cut off after 15 seconds', async ({ expect }) => {
    const folder = join(box.dataDir, 'endless')
    await fillFolder(folder)
    const server = await box.start({ ...ownKey, DATA_DIR: folder })
    const call = await openRequest(server, ownKey.RAPPORT_API_KEY)
    server.child.kill('SIGTERM')
    await server.ended
    call.destroy()
    await postgresStopped(folder, expect)
  })

  /** Ends it with Ctrl-C, which does not wait for what it waits for. */
  async function interrupt(starting: Running) {
    starting.child.kill('SIGINT')
    expect(await starting.ended).toBe('SIGINT')
    expect(starting.output).toMatch(/Stopped\.\n$/)
    expect(starting.output).not.toContain('Error')
  }

  test('waiting for a disk that does not answer', async () => {
    const folder = join(box.dataDir, 'hanging')
    await mkdir(join(folder, 'postgres'), { recursive: true })
    // Opening it waits for a writer, as reading a lost network disk waits for its server.
    execFileSync('mkfifo', [join(folder, 'postgres', 'PG_VERSION')])
    const starting = box.launch(['serve'], { DATA_DIR: folder })
    await starting.says(/^Waiting for the data folder .*hanging…$/m)
    await interrupt(starting)
  })

  test('creating the database: nothing is left, and the next start creates it', async ({
    expect,
  }) => {
    const folder = join(box.dataDir, 'interrupted')
    const starting = box.launch(['serve'], { DATA_DIR: folder })
    const names = () => readdir(folder).catch(() => [])
    const drafts = async () => (await names()).filter((name) => name.startsWith('postgres.new-'))
    await expect.poll(drafts, { interval: 5 }).toHaveLength(1)
    await interrupt(starting)
    expect(await names()).not.toContainEqual(expect.stringMatching(/^postgres/))
    const next = await box.start({ DATA_DIR: folder })
    next.child.kill('SIGINT')
    expect(await next.ended).toBe(0)
  })

  test('starting PostgreSQL', async ({ expect }) => {
    const folder = join(box.dataDir, 'starting')
    await fillFolder(folder)
    const starting = box.launch(['serve'], { DATA_DIR: folder })
    await expect.poll(() => box.hasPostgres(folder), { interval: 1 }).toBe(true)
    await interrupt(starting)
    await postgresStopped(folder, expect)
  })

  test('waiting for another process that starts on the same data', async () => {
    const folder = join(box.dataDir, 'locked')
    await mkdir(folder)
    const unlock = await tryStartLock(await openDataFolder(folder, () => {}))
    const starting = box.launch(['serve'], { DATA_DIR: folder })
    await starting.says(/^Waiting for another process that is starting on .*locked/m)
    await interrupt(starting)
    await unlock?.()
  })

  test('waiting for another process that migrates the same database', async () => {
    const { pool, environment } = await databases.create()
    await run(pool)`select pg_advisory_lock(7245318)`
    const starting = box.launch(['serve'], environment)
    await starting.says(/^Waiting for another Rapport process that is .* on this database/m)
    await interrupt(starting)
  })

  test('migrating', async () => {
    const { pool, environment } = await databases.create()
    await pool.begin(async (tx) => {
      // The first migration creates a table of this name, and waits for this transaction.
      await run(tx)`create table space (held int)`
      const starting = box.launch(['serve'], environment)
      await starting.says(/^Migrating the database \(0001_/m)
      await interrupt(starting)
    })
  })

  test('a port in use: the key of the first start is still shown', async ({ expect }) => {
    const folder = join(box.dataDir, 'port in use')
    await fillFolder(folder)
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const starting = box.launch(['serve'], { DATA_DIR: folder, PORT: String(port) })
    expect(await starting.ended).toBe(1)
    blocker.close()
    expect(box.hasPostgres(folder)).toBe(false)
    await starting.says(/first-sign-in/)
    const key = firstKeyIn(starting.output) ?? ''
    const next = await box.start({ DATA_DIR: folder })
    expect(next.key).toBe(undefined)
    const answer = await fetch(`${next.url}/rest/tags`, { headers: { 'X-API-KEY': key } })
    expect(answer.status).toBe(200)
    next.child.kill('SIGINT')
    await next.ended
  })

  test('a migration that fails', async ({ expect }) => {
    const folder = join(box.dataDir, 'failing')
    await fillFolder(folder)
    const engine = await openEngine({ dataDir: folder, log: () => {} })
    const pool = connect(engine.connections.owner, { max: 1 })
    await run(pool)`create table if not exists space (mine int)`
    await run(pool)`drop table if exists schema_migration`
    await pool.end()
    await engine.leave()
    const starting = box.launch(['serve'], { DATA_DIR: folder })
    expect(await starting.ended).toBe(1)
    expect(starting.output).toMatch(
      /^(Waiting for PostgreSQL [^\n]*\n)?Migration 0001_[^\n]*already exists[^\n]*\n$/,
    )
    expect(box.hasPostgres(folder)).toBe(false)
  })
})

describe('other commands', () => {
  /** Has the leads of the import. */
  let space = ''

  /** Waits until the statement, sent to the bundled PostgreSQL, returns a row. */
  async function untilFound(statement: Sql): Promise<void> {
    await expect.poll(() => box.hasPostgres(), { interval: 5 }).toBe(true)
    const host = join(box.dataDir, 'socket')
    const pool = connect({ host, port: 5432, database: 'rapport', username: 'rapport' }, { max: 1 })
    const isFound = () => run(pool, statement).then((rows) => rows.length > 0)
    await expect.poll(() => isFound().catch(() => false), { interval: 5 }).toBe(true)
    await pool.end({ timeout: 0 })
  }

  // It holds this lock from its first lead on.
  const firstLead = () =>
    untilFound(
      sql`select from pg_locks where relation = 'lead'::regclass and mode = 'RowExclusiveLock'`,
    )

  test.each(['SIGHUP', 'SIGQUIT'] as const)('%s in the middle of demo', async (signal) => {
    const demo = box.launch(['demo', '--leads', '1000000'])
    await firstLead()
    demo.child.kill(signal)
    expect(await demo.ended).not.toBe(0)
    await postgresStopped()
    const { stdout } = await box.run(['spaces', 'list'])
    expect(stdout).not.toContain('Demo')
  })

  test('SIGHUP in the middle of an import: the same command goes on later', async () => {
    const file = join(box.dataDir, 'leads.csv')
    const rows = Array.from({ length: 8_000 }, (_, i) => `First ${i},Last,lead${i}@example.com`)
    await writeFile(file, ['first_name,last_name,email', ...rows].join('\n'))
    const made = await box.run([
      ...['spaces', 'create', '--name', 'North', '--owner', 'ada@example.com', '--json'],
    ])
    space = JSON.parse(made.stdout).id_space
    const order = ['import', 'leads', file, '--space', space, '--json']
    const first = box.launch(order)
    await untilFound(sql`select from lead limit 1`)
    first.child.kill('SIGHUP')
    expect(await first.ended).toBe(1)
    await postgresStopped()
    const { created } = JSON.parse((await first.says(/^\{.*\}$/m))[0])
    expect(created).toBeLessThan(8_000)
    const second = JSON.parse((await box.run(order)).stdout)
    expect(second).toMatchObject({ complete: true, total: 8_000, rejected: 0 })
  })

  test('SIGTERM in the middle of an export whose reader is slow', async () => {
    const exporting = box.launch(['export', 'leads', '--space', space])
    await once(exporting.child.stdout as Readable, 'data')
    exporting.child.stdout?.pause()
    exporting.child.kill('SIGTERM')
    // It would be the signal if it had waited for the reader.
    expect(await exporting.ended).toBe(1)
    await postgresStopped()
  })

  test('the reader of a backup goes away', async () => {
    const pipe = `"${process.execPath}" "${script}" backup - | head -c 10 >/dev/null`
    await box.spawned('sh', ['-c', pipe]).ended
    await postgresStopped()
  })

  test('a file that cannot be opened yet does not hold Ctrl-C up', async () => {
    const fifo = join(box.dataDir, 'pipe.json')
    execFileSync('mkfifo', [fifo])
    const importing = box.launch(['campaigns', 'import', fifo])
    // Succeeds when the command is waiting in open(2); then it waits for the content.
    const writer = () => open(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
    let file: FileHandle | undefined
    const hasReader = async () => {
      file ??= await writer().catch(() => undefined)
      return file !== undefined
    }
    await expect.poll(hasReader).toBe(true)
    importing.child.kill('SIGINT')
    expect(await importing.ended).toBe('SIGINT')
    await file?.close()
  })
})

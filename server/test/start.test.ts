// The program as a person starts it: real processes, the PostgreSQL in the box, a data folder.
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFile,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../src/root.ts'
import { HttpClient, restRequest, withBody } from './http-client.ts'
import { addressIn, endProcess, environment, hasEnded, program } from './program.ts'

let dataDir: string
const running = new Set<ChildProcess>()

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rapport start '))
})
afterAll(async () => {
  await Promise.all([...running].map((child) => endProcess(child, 'SIGINT')))
  http.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface Started {
  child: ChildProcess
  /** What it has printed so far. */
  readonly output: string
  url: string
  key: string | undefined
}

/** Starts the server and waits for its banner. */
function start(more?: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [program, 'serve'], { env: environment(dataDir, more) })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return banner(child)
}

function banner(child: ChildProcessWithoutNullStreams): Promise<Started> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const url = addressIn(output)
      if (url === undefined) return
      const key = /rk_\S+/.exec(output)?.[0]
      resolve({
        child,
        get output() {
          return output
        },
        url,
        key,
      })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
}

const stop = ({ child }: Started) => endProcess(child, 'SIGINT')

/** Runs a command to its end. Returns what it printed and its exit status. */
async function run(args: string[], more?: Record<string, string>) {
  const result = await promisify(execFile)(process.execPath, [program, ...args], {
    env: environment(dataDir, more),
  }).catch((error) => error)
  return { code: result.code ?? 0, stdout: result.stdout, stderr: result.stderr }
}

const http = new HttpClient()
const get = async ({ url }: Started, path: string, key: string) =>
  withBody(await http.send(url, restRequest(key, 'GET', path)))
const tags = (server: Started, key = server.key ?? '') => get(server, '/tags', key)

const postmaster = async () =>
  (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]

let key = ''

describe('one after the other', () => {
  test('the first start prints the addresses, and the key once', async () => {
    const first = await start()
    expect(first.output).toContain(`${first.url}/docs`)
    expect(first.output).toContain(dataDir)
    expect(first.key).toMatch(/^rk_/)
    expect((await tags(first)).status).toBe(200)
    key = first.key ?? ''
    expect(await stop(first)).toBe(0)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)

    const second = await start()
    expect((await tags(second, key)).status).toBe(200)
    const refused = await tags(second, 'rk_a-key-that-nobody-has')
    expect(refused.status).toBe(401)
    expect(await stop(second)).toBe(0)
    // The log has each request with the id of its answer. It contains no key.
    const line = second.output.split('\n').find((text) => text.includes('"status":401')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      request_id: refused.headers.get('x-request-id'),
      method: 'GET',
      path: '/rest/tags',
    })
    expect(second.output).not.toContain('rk_')
  })

  test('RAPPORT_API_KEY is valid for the owner while it is set', async () => {
    const own = 'a-key-of-my-own-choice'
    const server = await start({ RAPPORT_API_KEY: own })
    expect((await tags(server, own)).status).toBe(200)
    expect((await get(server, '/me', own)).body).toMatchObject({
      user: { role: 'owner' },
      key: { role: 'admin' },
    })
    await stop(server)
    const without = await start()
    expect((await tags(without, own)).status).toBe(401)
    await stop(without)
  })

  test('after kill -9 the next start uses the PostgreSQL that still runs', async () => {
    const first = await start()
    const before = await postmaster()
    await endProcess(first.child, 'SIGKILL')
    const second = await start()
    expect(await postmaster()).toBe(before)
    expect((await tags(second, key)).status).toBe(200)
    await stop(second)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  test('when PostgreSQL dies it is started again; until then requests get a clean 503', async () => {
    const server = await start()
    process.kill(Number(await postmaster()), 'SIGKILL')
    const statuses = new Set<number>()
    for (let ok = 0; ok < 5; ) {
      const { status, body } = await tags(server, key)
      statuses.add(status)
      if (status === 200) ok++
      else {
        expect(body).toEqual({
          code: 'INTERNAL_SERVER_ERROR',
          message: 'Internal server error',
          issues: [],
        })
      }
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await stop(server)).toBe(0)
  })

  test('the server survives repeated kills of PostgreSQL under load', async () => {
    const server = await start()
    let stopped = false
    const statuses = new Set<number>()
    const client = async () => {
      while (!stopped) statuses.add((await tags(server, key)).status)
    }
    const clients = Array.from({ length: 8 }, client)
    for (let kill = 0; kill < 5; kill++) {
      const killed = await postmaster()
      process.kill(Number(killed), 'SIGKILL')
      // The remaining processes of the killed server may still answer.
      await expect
        .poll(() => postmaster().catch(() => killed), { timeout: 20_000 })
        .not.toBe(killed)
      await expect
        .poll(() => tags(server, key).then((a) => a.status), { timeout: 20_000 })
        .toBe(200)
    }
    stopped = true
    await Promise.all(clients)
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await stop(server)).toBe(0)
  })

  test('ending npm ends the server', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: fileURLToPath(root),
      env: environment(dataDir),
      detached: true,
    })
    const [server] = await Promise.all([banner(npm), once(npm, 'spawn')])
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await expect
      .poll(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid')), { timeout: 10_000 })
      .toBe(false)
    await expect(tags(server, key)).rejects.toThrow()
  })

  test('a port in use is reported in one line', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const { code, stderr } = await run(['serve'], { PORT: String(port) })
    blocker.close()
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    ])
  })

  test('a wrong setting is reported in one line', async () => {
    const { code, stderr } = await run(['serve'], { PORT: 'http' })
    expect([code, stderr]).toEqual([
      1,
      'PORT must be a whole number from 0 to 65535, not "http".\n',
    ])
  })

  test('Ctrl-C finishes the requests in flight', async () => {
    const server = await start()
    const call = request(`${server.url}/rest/tags`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', Expect: '100-continue' },
    })
    const answer = once(call, 'response')
    // The service has seen the head of the request and waits for its body.
    await once(call, 'continue')
    server.child.kill('SIGINT')
    await once(server.child.stdout as Readable, 'data')
    call.end('{"name":"in flight"}')
    const [response] = await answer
    expect(response.statusCode).toBe(200)
    if (!hasEnded(server.child)) await once(server.child, 'exit')
    expect(server.child.exitCode).toBe(0)
  })
})

describe('the command line beside a running server', () => {
  let server: Started
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => stop(server))

  test('makes workspaces, members and keys that work at once', async () => {
    const space = await json('spaces', 'create', '--name', 'Second', '--owner', 'o@example.com')
    expect(await json('spaces', 'list')).toHaveLength(2)
    const member = await json(
      ...['members', 'add', '--space', space.id_space, '--email', 'm@example.com'],
    )
    const members = await json('members', 'list', '--space', space.id_space)
    expect(members.map((row: { role: string }) => row.role)).toEqual(['owner', 'write'])
    const order = ['--space', space.id_space, '--member', member.id]
    const made = await json('keys', 'create', ...order, '--role', 'read')
    expect(made.key).toMatch(/^rk_/)
    expect((await tags(server, made.key)).status).toBe(200)

    const listed = await run(['keys', 'list', '--space', space.id_space])
    expect(listed.stdout).toContain(made.id)
    expect(listed.stdout).not.toContain(made.key)

    expect((await json('keys', 'revoke', made.id)).revoked_at).toEqual(expect.any(String))
    await expect
      .poll(() => tags(server, made.key).then((a) => a.status), { timeout: 5000 })
      .toBe(401)
  })

  test.each([
    [['nonsense'], 2, /no command "nonsense"/],
    [['keys'], 2, /create, list or revoke/],
    [['keys', 'create'], 2, /Missing --space/],
    [['keys', 'create', '--space', 'x', '--member', 'y'], 1, /^There is no workspace x\. See/],
    [['keys', 'revoke', 'x'], 1, /^There is no key with the id x\.$/m],
    [['keys', 'list', '--colour'], 2, /--colour/],
    [['members', 'add', '--role', 'king', '--space', 'x'], 2, /--role must be one of/],
    [
      ['spaces', 'create', '--name', 'x', '--owner', 'y', '--time-zone', 'Moon/Base'],
      1,
      /Moon\/Base/,
    ],
  ])('%j is refused with status %i and a reason', async (args, code, reason) => {
    const answer = await run(args)
    expect(answer.code).toBe(code)
    expect(answer.stderr).toMatch(reason)
    expect(answer.stdout).toBe('')
  })

  test.each([
    ['postgres://nobody:wrong@127.0.0.1:1/none', /^The database cannot be reached: [^\n]+\n$/],
    ['mysql://localhost/x', /^DATABASE_URL must look like [^\n]+\n$/],
  ])('an unreachable DATABASE_URL is reported in one line: %s', async (url, reason) => {
    const { code, stderr } = await run(['spaces', 'list'], { DATABASE_URL: url })
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
    expect(stderr).not.toContain('wrong')
  })

  test('explains itself', async () => {
    expect((await run(['help'])).stdout).toContain('npm run rapport -- <command>')
    expect((await run(['keys', '--help'])).stdout).toContain('--expires <days>')
  })

  test('leaves the server’s PostgreSQL running', async () => {
    await run(['spaces', 'list'])
    expect((await tags(server, key)).status).toBe(200)
  })
})

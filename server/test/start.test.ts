// The program as a person starts it: real processes, the bundled PostgreSQL, a data folder.
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { program, type Running, type Serving } from './running-program.ts'

const box = program({ isEmpty: true })
const { start, run, postgres } = box

async function stop({ child, ended }: Running) {
  child.kill('SIGINT')
  return ended
}

const tags = (server: Serving, key = server.key ?? '') =>
  fetch(`${server.url}/rest/tags`, { headers: { 'X-API-KEY': key } })

// biome-ignore lint/suspicious/noExplicitAny: any JSON
const read = async (server: Serving, key: string, path: string): Promise<any> => {
  const answer = await fetch(`${server.url}/rest${path}`, { headers: { 'X-API-KEY': key } })
  return answer.json()
}

let key = ''

describe('one after the other', () => {
  test('the first start says where everything is, and keeps link and key in a private file', async () => {
    const first = await start()
    expect(first.output).toContain(`${first.url}/docs`)
    expect(first.output).toContain(box.dataDir)
    expect(first.output).not.toMatch(/r[kls]_/)
    const file = join(box.dataDir, 'first-sign-in.txt')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(`${first.url}/#sign-in=rl_`)
    expect(first.key).toMatch(/^rk_/)
    expect((await tags(first)).status).toBe(200)
    key = first.key ?? ''
    expect(await stop(first)).toBe(0)
    expect(box.hasPostgres()).toBe(false)

    const second = await start()
    expect(second.output).not.toContain('first-sign-in')
    expect((await tags(second, key)).status).toBe(200)
    const refused = await tags(second, 'rk_a-key-that-nobody-has')
    expect(refused.status).toBe(401)
    expect(await stop(second)).toBe(0)
    // Each request is in the log by the id that its response carries, and no key is.
    const line = second.output.split('\n').find((text) => text.includes('"status":401')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      request_id: refused.headers.get('x-request-id'),
      method: 'GET',
      path: '/rest/tags',
    })
    expect(second.output).not.toMatch(/r[kls]_/)
  })

  test('RAPPORT_API_KEY is valid for the owner, METRICS_PORT open, while they are set', async () => {
    const own = 'a-key-of-my-own-choice'
    const port = await freePort()
    const PUBLIC_URL = 'https://crm.example.com'
    const server = await start({ RAPPORT_API_KEY: own, METRICS_PORT: String(port), PUBLIC_URL })
    expect(server.output).toContain(`Documentation  ${PUBLIC_URL}/docs`)
    expect(server.output).toContain(`Listening on   ${server.url}`)
    expect((await tags(server, own)).status).toBe(200)
    // Only there, and nothing but them.
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(await metrics.text()).toContain('rapport_requests_total{method="GET",route="/rest/tags"')
    expect((await fetch(`http://127.0.0.1:${port}/rest/tags`)).status).toBe(404)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    const me = await fetch(`${server.url}/rest/me`, { headers: { 'X-API-KEY': own } })
    expect(await me.json()).toMatchObject({ role: 'owner', key: { role: 'admin' } })
    await stop(server)
    const without = await start()
    expect((await tags(without, own)).status).toBe(401)
    await stop(without)
  })

  test('after kill -9 the next start takes the running PostgreSQL over', async () => {
    const first = await start()
    const before = await postgres()
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start()
    expect(await postgres()).toBe(before)
    expect((await tags(second, key)).status).toBe(200)
    await stop(second)
    expect(box.hasPostgres()).toBe(false)
  })

  test('when PostgreSQL dies it is started again; requests meanwhile get a clean 503', async () => {
    const server = await start()
    process.kill(await postgres(), 'SIGKILL')
    const statuses = new Set<number>()
    for (let ok = 0; ok < 5; ) {
      const answer = await tags(server, key)
      statuses.add(answer.status)
      const body = (await answer.json()) as { code?: string; issues?: unknown[] }
      if (answer.status === 200) ok++
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

  test('PostgreSQL killed again and again under load takes nothing else with it', async () => {
    const server = await start()
    let stopped = false
    const statuses = new Set<number>()
    const client = async () => {
      while (!stopped) statuses.add((await tags(server, key)).status)
    }
    const clients = Array.from({ length: 8 }, client)
    for (let kill = 0; kill < 5; kill++) {
      const killed = await postgres()
      process.kill(killed, 'SIGKILL')
      // Answers may still come from what is left of the killed one.
      await expect.poll(() => postgres().catch(() => killed)).not.toBe(killed)
      await expect.poll(() => tags(server, key).then((a) => a.status)).toBe(200)
    }
    stopped = true
    await Promise.all(clients)
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await stop(server)).toBe(0)
  })

  test('a port in use is told in one line', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    const { port } = blocker.address() as { port: number }
    const refused = {
      code: 1,
      stderr: expect.stringMatching(`^Port ${port} on 127.0.0.1 is in use.*\n$`),
    }
    expect(await run(['serve'], { PORT: String(port) })).toMatchObject(refused)
    const metrics = await run(['serve'], { PORT: '0', METRICS_PORT: String(port) })
    expect(metrics).toMatchObject(refused)
    blocker.close()
  })

  test('a wrong setting is told in one line', async () => {
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
    expect(await server.ended).toBe(0)
  })
})

describe('the command line beside a running server', () => {
  let server: Serving
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
    // A new workspace has a pipeline, unless it is to be empty.
    const lists = await read(server, made.key, '/lists')
    expect(lists).toMatchObject([{ name: 'New business', auto_status: true }])
    const { workspace } = await read(server, made.key, '/me')
    expect(workspace).toMatchObject({ time_zone: 'UTC', currency: '', is_new: true })
    const empty = ['--name', 'Third', '--owner', 'o@example.com', '--empty']
    const third = await json('spaces', 'create', ...empty, '--time-zone', 'Europe/Paris')
    const owner = ['--space', third.id_space, '--member', third.id_member]
    const other = await json('keys', 'create', ...owner)
    expect(await read(server, other.key, '/lists')).toEqual([])
    expect((await read(server, other.key, '/me')).workspace.is_new).toBe(false)

    const listed = await run(['keys', 'list', '--space', space.id_space])
    expect(listed.stdout).toContain(made.id)
    expect(listed.stdout).not.toContain(made.key)

    expect((await json('keys', 'revoke', made.id)).revoked_at).toEqual(expect.any(String))
    await expect.poll(() => tags(server, made.key).then((a) => a.status)).toBe(401)
  })

  test.each([
    [['nonsense'], 2, /Unknown command "nonsense"/],
    [['keys'], 2, /create, list, replace or revoke/],
    [['keys', 'create', '--space', 'x', '--member', 'y'], 1, /^No workspace "x"\. See/],
    [['keys', 'revoke', 'x'], 1, /^No key "x"\. See: .*keys list$/m],
    [['keys', 'list', '--colour'], 2, /--colour/],
    [['members', 'add', '--role', 'king', '--space', 'x'], 2, /--role must be one of/],
    [
      ['spaces', 'create', '--name', 'x', '--owner', 'y@z', '--time-zone', 'Moon/Base'],
      2,
      /Moon\/Base/,
    ],
  ])('%j is refused with status %i and a reason', async (args, code, reason) => {
    const answer = await run(args)
    expect(answer.code).toBe(code)
    expect(answer.stderr).toMatch(reason)
    expect(answer.stdout).toBe('')
  })

  test.each([
    ['postgres://nobody:wrong@127.0.0.1:1/none', /^Cannot reach the database: [^\n]+\n$/],
    ['mysql://localhost/x', /^DATABASE_URL must look like [^\n]+\n$/],
  ])('a DATABASE_URL that leads nowhere is told in one line: %s', async (url, reason) => {
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

// What is true of every route: errors, keys, bodies, request ids, health checks.
import { readFileSync } from 'node:fs'
import { route } from '@rapport/contract/route'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { sendRaw } from '../../test/raw-http.ts'
import { run } from '../db/sql.ts'
import { resources } from '../resources/index.ts'
import { root } from '../root.ts'
import { resource } from './handler.ts'

// One more resource, whose handler has a bug.
const broken = resource(
  {
    name: 'Broken',
    description: 'Broken',
    routes: {
      crash: route('GET /broken', {
        operationId: 'crash',
        role: 'read',
        summary: 'Fails',
        description: 'Fails',
        reply: Type.String(),
      }),
    },
  },
  {
    crash: () => {
      throw new Error('select secret from somewhere')
    },
  },
)

const app = service({ resources: [...resources, broken] })
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

const send = (init: RequestInit & { key?: string | null } = {}) =>
  app.request('/rest/tags', {
    method: 'POST',
    ...init,
    headers: {
      ...(init.key === null ? {} : { 'X-API-KEY': init.key ?? space.key }),
      'Content-Type': 'application/json',
      ...(init.headers as Record<string, string>),
    },
  })

describe('the error body', () => {
  test.each([
    ['bad JSON', { body: '{"name": ' }, 400, 'BAD_REQUEST', 'json'],
    [
      'bytes that are not UTF-8',
      { body: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      'BAD_REQUEST',
      'encoding',
    ],
    ['a body nested too deep', { body: '['.repeat(100_000) }, 400, 'BAD_REQUEST', 'too_deep'],
    ['too many values', { body: `[${'1,'.repeat(500_000)}1]` }, 400, 'BAD_REQUEST', 'too_many'],
    [
      'too many fields',
      { body: `[${'{"a":1},'.repeat(25_000)}{"a":1}]` },
      400,
      'BAD_REQUEST',
      'too_many',
    ],
    ['a text too long', { body: `["${'x'.repeat(2_100_000)}"]` }, 400, 'BAD_REQUEST', 'too_long'],
    [
      'a wrong content type',
      { body: 'name=x', headers: { 'Content-Type': 'text/plain' } },
      415,
      'BAD_REQUEST',
      'content_type',
    ],
    [
      'a body that is too large',
      { body: `"${'x'.repeat(17 * 1024 * 1024)}"` },
      413,
      'BAD_REQUEST',
      'too_large',
    ],
    ['null', { body: 'null' }, 400, 'BAD_REQUEST', 'type'],
  ] as const)('of %s', async (_name, init, status, code, issue) => {
    const answer = await send(init)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      code,
      message: 'Invalid input data',
      issues: [{ path: [], code: issue, message: expect.any(String) }],
    })
  })

  test.each(['/rest/nothing', '/rest', '/nothing', '/rest/tags/%zz'])(
    'of the unknown path %s',
    async (path) => {
      const answer = await app.request(path, { headers: { 'X-API-KEY': space.key } })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ code: 'NOT_FOUND', message: 'Not found', issues: [] })
    },
  )

  test('of an id that is much too long', async () => {
    const answer = await space.patch(`/tags/${'x'.repeat(3_000)}`, { name: 'x' })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', issues: [] } })
  })

  test('of a method that the path does not have', async () => {
    expect((await space.call('PUT', '/tags')).status).toBe(404)
  })

  test('reveals nothing about a bug in a handler', async () => {
    const answer = await space.get('/broken')
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Internal server error',
      issues: [],
    })
  })

  test('of bytes that are not HTTP', async () => {
    const answer = await sendRaw(app.url, 'NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('of a request without Host', async () => {
    const answer = await sendRaw(app.url, 'GET /rest/tags HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('of a request with an unknown Expect header is that of any other request', async () => {
    const head =
      'GET /rest/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: wonders\r\n\r\n'
    const answer = await sendRaw(app.url, head)
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('reaches a client that sends a body that is too large to its end', async () => {
    const size = 17 * 1024 * 1024
    const head = `POST /rest/tags HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\nContent-Type: application/json`
    const next = 'GET /rest/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const answers = await sendRaw(
      app.url,
      `${head}\r\nContent-Length: ${size}\r\n\r\n${' '.repeat(size)}${next}`,
    )
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404'])
  })

  test('of headers that are too large', async () => {
    const answer = await sendRaw(
      app.url,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 431 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('keys', () => {
  test.each([
    ['no key', null],
    ['an empty key', ''],
    ['an unknown key', 'rk_unknown'],
  ])('%s: 401', async (_name, key) => {
    const answer = await send({ key, body: '{"name":"x"}' })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      code: 'UNAUTHORIZED',
      message: 'Authorization not provided',
      issues: [],
    })
  })

  test('a read key may read but not write', async () => {
    const reader = app.as(await app.key(space, 'read'))
    expect((await reader.get('/tags')).status).toBe(200)
    const answer = await reader.post('/tags', { name: 'x' })
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({ code: 'FORBIDDEN', message: 'Insufficient access', issues: [] })
  })

  test('a key may not do more than its member', async () => {
    const member = await app.member(space, 'read')
    const key = app.as(await app.key(space, 'admin', member))
    expect((await key.post('/tags', { name: 'x' })).status).toBe(403)
    expect((await key.get('/me')).body.key.role).toBe('read')
  })

  test('a revoked key stops working within 5 seconds', async () => {
    const key = app.as(await app.key(space, 'write'))
    expect((await key.get('/tags')).status).toBe(200)
    await run(
      app.db,
    )`update api_key set revoked_at = ${app.clock.now} where hash = encode(sha256(${key.key}::bytea), 'hex')`
    app.clock.advance(5_000)
    expect((await key.get('/tags')).status).toBe(401)
  })

  test('a revoked key stops working within 5 seconds while it is in constant use', async () => {
    const key = app.as(await app.key(space, 'write'))
    expect((await key.get('/tags')).status).toBe(200)
    await run(
      app.db,
    )`update api_key set revoked_at = ${app.clock.now} where hash = encode(sha256(${key.key}::bytea), 'hex')`
    const statuses: number[] = []
    for (let ms = 0; ms < 5_000; ms += 100) {
      app.clock.advance(100)
      statuses.push((await key.get('/tags')).status)
    }
    expect(statuses.at(-1)).toBe(401)
    expect(statuses.lastIndexOf(200)).toBeLessThan(statuses.indexOf(401))
  })

  test('an expired key does not work', async () => {
    const key = app.as(await app.key(space, 'write'))
    const soon = new Date(app.clock.now.getTime() + 1_000)
    await run(
      app.db,
    )`update api_key set expires_at = ${soon} where hash = encode(sha256(${key.key}::bytea), 'hex')`
    expect((await key.get('/tags')).status).toBe(200)
    app.clock.advance(1_000)
    expect((await key.get('/tags')).status).toBe(401)
  })

  test('a known key is checked without a query', async () => {
    const own = await app.workspace()
    await own.get('/broken')
    await app.db.begin(async (tx) => {
      // A query on these tables would wait now, and the test would time out.
      await run(tx)`lock table api_key, member in access exclusive mode`
      for (let i = 0; i < 20; i++) expect((await own.get('/broken')).status).toBe(500)
    })
  })
})

test.each([
  ['no content type, no body', {}],
  ['a content type and no body', { 'Content-Type': 'application/json' }],
  ['a body of blanks', { 'Content-Type': 'application/json' }, ' \n'],
  ['another content type and no body', { 'Content-Type': 'text/plain' }],
])('%s counts as {}', async (_name, headers, body = '') => {
  const answer = await app.request('/rest/tags', {
    method: 'POST',
    headers: { ...headers, 'X-API-KEY': space.key } as Record<string, string>,
    ...(body && { body }),
  })
  expect(answer.body.issues).toEqual([{ path: ['name'], code: 'required', message: 'Required' }])
})

test('every response has a request id: that of the caller if there is a valid one', async () => {
  expect((await space.get('/tags')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const answer = await send({ headers: { 'X-Request-Id': 'mine-1' } })
  expect(answer.headers.get('x-request-id')).toBe('mine-1')
  const odd = await send({ headers: { 'X-Request-Id': 'two words' } })
  expect(odd.headers.get('x-request-id')).not.toBe('two words')
})

test('GET /version tells the release and the commit', async () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const commit = expect.stringMatching(/^[0-9a-f]{40}$/)
  expect((await space.get('/version')).body).toEqual({ version, commit })
})

test('GET /healthz and /readyz need no key', async () => {
  const delay = expect.any(Number)
  expect(await app.request('/healthz')).toMatchObject({
    status: 200,
    body: { status: 'ok', event_loop: { p50_ms: delay, p99_ms: delay, max_ms: delay } },
  })
  expect(await app.request('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
})

test('GET /me describes the caller, GET /members all members', async () => {
  const own = await app.workspace()
  const other = await app.member(own, 'read')
  const me = (await own.get('/me')).body
  expect(me).toEqual({
    id: own.owner,
    name: 'Member owner',
    email: expect.any(String),
    role: 'owner',
    picture: null,
    time_zone: null,
    id_space: own.id_space,
    workspace: {
      id_space: own.id_space,
      name: 'Test',
      time_zone: 'UTC',
      currency: '',
      is_new: false,
    },
    key: { role: 'admin', scopes: null },
    way: 'api',
    has_password: false,
    mail: false,
    session: null,
  })
  const members = (await own.get('/members')).body
  expect(members.map((m: { id: string }) => m.id)).toEqual([own.owner, other])
})

// The outside: limits of size and time, headers, and what an error gives away.

import { connect as openSocket, type Socket } from 'node:net'
import { route } from '@rapport/contract/route'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, service, type Workspace } from '../../test/harness.ts'
import { run, sql } from '../db/sql.ts'
import { resources } from '../resources/index.ts'
import { Json, resource } from './handler.ts'

let isEndless = true
let thought = Promise.resolve()
const streams = resource(
  {
    name: 'Streams',
    description: 'Streams',
    routes: {
      endless: route({
        operationId: 'endless',
        method: 'GET',
        path: '/endless',
        role: 'read',
        summary: 'Never ends',
        description: 'Never ends',
        reply: Type.String(),
        example: {},
      }),
      thoughtful: route({
        operationId: 'thoughtful',
        method: 'GET',
        path: '/thoughtful',
        role: 'read',
        summary: 'Says something, thinks, and says the rest',
        description: 'Says something, thinks, and says the rest',
        reply: Type.String(),
        example: {},
      }),
    },
  },
  {
    thoughtful() {
      async function* pieces() {
        yield '"one'
        await thought
        yield ' two"'
      }
      return new Json(pieces())
    },

    endless() {
      async function* pieces() {
        try {
          for (;;) yield 'x'.repeat(65_536)
        } finally {
          isEndless = false
        }
      }
      return new Json(pieces())
    },
  },
)

const app = service({ resources: [...resources, streams] })
const hasty = service({
  resources: [...resources, streams],
  limits: { headersMs: 50, bodyMs: 250, readerMs: 250, checkMs: 20 },
})
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

describe('too much', () => {
  test.each([
    ['an address that is too long', 414, `GET /rest/tags?${'x'.repeat(8_192)} HTTP/1.1\r\n`, ''],
    ['an unknown path that is too long', 414, `GET /${'x'.repeat(8_192)} HTTP/1.1\r\n`, ''],
    ['an address beyond all headers', 431, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n`, ''],
    ['a header that is too long', 431, 'GET /healthz HTTP/1.1\r\n', `X-Big: ${'x'.repeat(16_384)}`],
    [
      'headers that are too many',
      431,
      'GET /healthz HTTP/1.1\r\n',
      Array.from({ length: 100 }, (_, i) => `X-${i}: 1`).join('\r\n'),
    ],
  ])('%s: %i', async (_name, status, line, headers) => {
    const answer = await raw(app.url, `${line}Host: x\r\nConnection: close\r\n${headers}\r\n\r\n`)
    expectError(answer, status)
  })

  test('a body that says it is too large is refused before it is sent', async () => {
    const answer = await raw(
      app.url,
      `POST /rest/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: ${space.key}\r\nContent-Type: application/json\r\nContent-Length: 17000000\r\n\r\n`,
    )
    expectError(answer, 413)
  })

  test('a body without a right key is not waited for', async () => {
    const answer = await raw(
      app.url,
      'POST /rest/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('too slow', () => {
  test('headers that do not come: 408', async () => {
    expectError(await raw(hasty.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'), 408)
  })

  test('a body that does not come: 408', async () => {
    const { key } = await hasty.workspace()
    const answer = await raw(
      hasty.url,
      `POST /rest/tags HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
    )
    expectError(answer, 408)
  })

  test('a reader who takes nothing of a long answer is left', async () => {
    const { key } = await hasty.workspace()
    const socket = open(
      hasty.url,
      `GET /rest/endless HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`,
    )
    socket.pause()
    await vi.waitFor(() => expect(isEndless).toBe(false), { timeout: 5_000 })
    socket.destroy()
  })
})

describe('the service is slow, not the client', () => {
  /** Whoever was given this long before is out of time by now. */
  const outOfTime = async ({ key }: Workspace) => {
    const line = 'POST /rest/tags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const late = `${line}X-API-KEY: ${key}\r\nContent-Length: 100\r\n\r\n{"name":`
    for (let times = 0; times < 2; times++) expectError(await raw(hasty.url, late), 408)
  }

  test.each([
    ['the whole file is there', 'email\na@x.example\n'],
    ['more is there than is read at once', `email\n${'a@x.example\n'.repeat(20_000)}`],
  ])('an import that has to wait in the database: %s', async (_name, file) => {
    const slow = await hasty.workspace()
    let answer: Promise<Answer> | undefined
    await hasty.db.begin(async (tx) => {
      await run(tx, sql`select from space where id_space = ${slow.id_space} for update`)
      answer = slow.call('POST', '/leads/import?dry_run=false', file, 'text/csv')
      await vi.waitFor(async () => {
        const [waits] = await run(
          hasty.db,
          sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(waits).toBeDefined()
      })
      await outOfTime(slow)
    })
    expect(await answer).toMatchObject({ status: 200, body: { rejected_total: 0 } })
  })

  test('an answer whose next piece takes long', async () => {
    const slow = await hasty.workspace()
    let resolve = () => {}
    thought = new Promise((done) => {
      resolve = done
    })
    const answer = slow.get('/thoughtful')
    await outOfTime(slow)
    resolve()
    expect((await answer).body).toBe('one two')
  })
})

describe('headers', () => {
  test.each(['/docs', '/docs/start.js', '/docs/reference.js'])('of %s', async (path) => {
    const { status, headers } = await app.request(path)
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'self'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test.each(['/rest/tags', '/rest/nothing', '/rest/tags?key=wrong', '/healthz'])(
    'of %s: nobody keeps it, nobody guesses its type, nothing names the software',
    async (path) => {
      const { headers } = await app.request(path, {
        headers: path.includes('wrong') ? {} : { 'X-API-KEY': space.key },
      })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

test('a statement that fails tells nothing of itself', async () => {
  await run(app.db, sql`alter table tag rename to tag_gone`)
  try {
    for (const answer of [await space.get('/tags'), await space.post('/tags', { name: 'x' })]) {
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({
        code: 'INTERNAL_SERVER_ERROR',
        message: 'Internal server error',
        issues: [],
      })
      expect([...answer.headers.keys()].sort()).toEqual([
        'cache-control',
        'connection',
        'content-length',
        'content-type',
        'date',
        'keep-alive',
        'x-content-type-options',
        'x-request-id',
      ])
    }
  } finally {
    await run(app.db, sql`alter table tag_gone rename to tag`)
  }
})

function expectError(answer: string, status: number): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(body)).toEqual({
    code: 'BAD_REQUEST',
    message: 'Invalid input data',
    issues: [{ path: [], code: expect.any(String), message: expect.any(String) }],
  })
}

function open(url: string, bytes: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = openSocket(Number(port), hostname, () => socket.write(bytes))
  return socket
}

/** Writes bytes and reads what comes back until the connection is closed. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = open(url, bytes)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

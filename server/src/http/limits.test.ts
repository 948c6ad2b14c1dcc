// Limits of size and time, the headers of responses, and what an error must not reveal.
import { route } from '@rapport/contract/route'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { sendRaw, writeRaw } from '../../test/raw-http.ts'
import { run } from '../db/sql.ts'
import { resources } from '../resources/index.ts'
import { Json, resource } from './handler.ts'
import { timeLimits } from './limits.ts'

let isEndless = true
let thought = Promise.resolve()
const streams = resource(
  {
    name: 'Streams',
    description: 'Streams',
    routes: {
      endless: route('GET /endless', {
        operationId: 'endless',
        role: 'read',
        summary: 'Never ends',
        description: 'Never ends',
        reply: Type.String(),
      }),
      thoughtful: route('GET /thoughtful', {
        operationId: 'thoughtful',
        role: 'read',
        summary: 'Says something, thinks, and says the rest',
        description: 'Says something, thinks, and says the rest',
        reply: Type.String(),
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
  limits: { ...timeLimits, headersMs: 300, bodyMs: 250, readerMs: 250, checkMs: 20 },
})
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

describe('a request that is too large', () => {
  test.each([
    ['an address that is too long', 414, `GET /rest/tags?${'x'.repeat(8_192)} HTTP/1.1\r\n`, ''],
    ['an unknown path that is too long', 414, `GET /${'x'.repeat(8_192)} HTTP/1.1\r\n`, ''],
    [
      'an address longer than all headers may be',
      431,
      `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n`,
      '',
    ],
    ['a header that is too long', 431, 'GET /healthz HTTP/1.1\r\n', `X-Big: ${'x'.repeat(16_384)}`],
    [
      'too many headers',
      431,
      'GET /healthz HTTP/1.1\r\n',
      Array.from({ length: 100 }, (_, i) => `X-${i}: 1`).join('\r\n'),
    ],
  ])('%s: %i', async (_name, status, line, headers) => {
    const answer = await sendRaw(
      app.url,
      `${line}Host: x\r\nConnection: close\r\n${headers}\r\n\r\n`,
    )
    expectError(answer, status)
  })

  test('is refused before its body is sent, when Content-Length says so', async () => {
    const answer = await sendRaw(
      app.url,
      `POST /rest/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: ${space.key}\r\nContent-Type: application/json\r\nContent-Length: 17000000\r\n\r\n`,
    )
    expectError(answer, 413)
  })

  test('the service does not wait for a body without a valid key', async () => {
    const answer = await sendRaw(
      app.url,
      'POST /rest/tags HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('a client that is too slow', () => {
  test('gets 408 when its headers do not arrive', async () => {
    expectError(await sendRaw(hasty.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'), 408)
  })

  test('gets 408 when its body does not arrive', async () => {
    const { key } = await hasty.workspace()
    const answer = await sendRaw(
      hasty.url,
      `POST /rest/tags HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
    )
    expectError(answer, 408)
  })

  test('is disconnected when it reads nothing of a streamed response', async () => {
    const { key } = await hasty.workspace()
    const socket = writeRaw(
      hasty.url,
      `GET /rest/endless HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`,
    )
    socket.pause()
    await expect.poll(() => isEndless).toBe(false)
    socket.destroy()
  })
})

describe('a slow service does not count as a slow client', () => {
  /** Waits longer than the time limit: two other requests run into it, one after the other. */
  const waitBeyondLimit = async ({ key }: Workspace) => {
    const line = 'POST /rest/tags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const late = `${line}X-API-KEY: ${key}\r\nContent-Length: 100\r\n\r\n{"name":`
    for (let times = 0; times < 2; times++) expectError(await sendRaw(hasty.url, late), 408)
  }

  test.each([
    ['the whole file has arrived', 'email\na@x.example\n'],
    ['more has arrived than is read at once', `email\n${'a@x.example\n'.repeat(20_000)}`],
  ])('an import that waits for a lock: %s', async (_name, file) => {
    const slow = await hasty.workspace()
    let answer: Promise<Answer> | undefined
    await hasty.db.begin(async (tx) => {
      await run(tx)`select from space where id_space = ${slow.id_space} for update`
      answer = slow.call('POST', '/leads/import?dry_run=false', file, 'text/csv')
      await expectLockWaits(hasty.db, 1)
      await waitBeyondLimit(slow)
    })
    expect(await answer).toMatchObject({ status: 200, body: { rejected_total: 0 } })
  })

  test('a streamed response whose next piece takes long', async () => {
    const slow = await hasty.workspace()
    let resolve = () => {}
    thought = new Promise((done) => {
      resolve = done
    })
    const answer = slow.get('/thoughtful')
    await waitBeyondLimit(slow)
    resolve()
    expect((await answer).body).toBe('one two')
  })
})

describe('response headers', () => {
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
    'of %s: no caching, no guessing of the type, no name of the software',
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

test('the response to a failed SQL statement reveals nothing about it', async () => {
  await run(app.db)`alter table tag rename to tag_gone`
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
    await run(app.db)`alter table tag_gone rename to tag`
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

// What the client sends, and when it sends it again, with a fetch that answers as the test says.
import { contract } from '@rapport/contract'
import type { Route } from '@rapport/contract/route'
import { takesIdempotencyKey } from '@rapport/contract/route'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InternalServerError,
  NotFoundError,
  Rapport,
  RapportError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
} from './index.ts'

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

type Answer = Response | Error | 'never'

/** Not a Response: reading one takes real time, and here time is what the test says. */
const answerOf = (text: string, status = 200, headers = {}) =>
  ({
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(headers),
    text: async () => text,
  }) as Response
const json = (body: unknown, status = 200, headers = {}) =>
  answerOf(JSON.stringify(body), status, headers)
const error = (status: number, code: string, issues: unknown[] = [], headers = {}) =>
  json({ code, message: code, issues }, status, headers)
const busy = () => error(503, 'INTERNAL_SERVER_ERROR')

/** Gives the answers in their order, the last one again and again. */
function clientOf(...answers: (() => Answer)[]) {
  const sent: Sent[] = []
  const fake = (url: string, { method, headers, body, signal }: RequestInit) => {
    sent.push({ url, method, headers: Object.fromEntries(headers as Headers), body } as Sent)
    const answer = (answers[sent.length - 1] ?? answers.at(-1))?.() ?? json({})
    if (answer === 'never') {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    }
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  const rapport = new Rapport({ url: 'http://crm/rest/', key: 'rk_1', fetch: fake as typeof fetch })
  return { rapport, sent }
}

/** How a promise ends, while the time passes. */
async function outcome<T>(promise: PromiseLike<T>, ms = 700_000): Promise<T | RapportError> {
  const settled = promise.then(
    (value) => value,
    (reason) => reason,
  )
  await vi.advanceTimersByTimeAsync(ms)
  return settled
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('every route of the contract has a method that sends it', async () => {
  const { rapport, sent } = clientOf()
  for (const [name, { routes }] of Object.entries(contract)) {
    for (const [key, route] of Object.entries(routes as Record<string, Route>)) {
      const methods = rapport[name as keyof Rapport] as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >
      const { method, path, body, query, accepts } = route
      const args = [
        ...(path.includes('{id}') ? ['an id'] : []),
        ...(accepts ? ['a file'] : []),
        ...(body || query ? [{ some: 'thing' }] : []),
      ]
      await methods[key]?.(...args)
      const last = sent.at(-1)
      const search = !body && query ? '?some=thing' : ''
      expect(last, `${name}.${key}`).toMatchObject({
        method,
        url: `http://crm/rest${path.replace('{id}', 'an%20id')}${search}`,
      })
      expect(last?.body).toBe(body ? '{"some":"thing"}' : accepts ? args[0] : undefined)
      expect('idempotency-key' in (last?.headers ?? {})).toBe(takesIdempotencyKey(route))
      expect(last?.headers['x-api-key']).toBe('rk_1')
    }
  }
  await expect(rapport.leads.remove('')).rejects.toThrow('The id is missing')
  const file = 'first_name\nAda\n'
  await rapport.transfer.import(file, { tag: ['x', 'y'], dry_run: 'true' })
  expect(sent.at(-1)).toMatchObject({
    url: 'http://crm/rest/leads/import?tag=x&tag=y&dry_run=true',
    headers: { 'content-type': 'text/csv' },
  })
})

test('a write is sent again with the same key after 429, 503, a lost connection and its own twin', async () => {
  const { rapport, sent } = clientOf(
    () => error(429, 'TOO_MANY_REQUESTS'),
    busy,
    () => new TypeError('fetch failed'),
    () => answerOf('Bad gateway', 502),
    () => error(409, 'CONFLICT'),
    () => json({ id: '1' }),
  )
  expect(await outcome(rapport.leads.create({ first_name: 'Ada' }))).toEqual({ id: '1' })
  expect(sent).toHaveLength(6)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  await rapport.leads.create({}, { idempotencyKey: 'mine', headers: { 'If-Match': '"1"' } })
  expect(sent.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'mine', 'if-match': '"1"' })
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
})

test('what cannot be repeated is not: a secret, a stream, a conflict, an error of the input', async () => {
  const once = async (answer: () => Answer, send: (rapport: Rapport) => PromiseLike<unknown>) => {
    const { rapport, sent } = clientOf(answer)
    const failed = await outcome(send(rapport))
    expect(sent).toHaveLength(1)
    return failed
  }
  const key = { name: 'a', role: 'read' } as const
  expect(await once(busy, ({ keys }) => keys.create(key))).toBeInstanceOf(InternalServerError)
  const lost = await once(
    () => new TypeError('fetch failed'),
    ({ keys }) => keys.create(key),
  )
  expect(lost).toBeInstanceOf(ConnectionError)
  await once(
    () => error(429, 'TOO_MANY_REQUESTS'),
    ({ transfer }) => transfer.import(new Blob(['a']).stream()),
  )
  const issue = { path: ['data', 'city'], code: 'type', message: 'Must be a string' }
  const codes = [
    [400, 'BAD_REQUEST', BadRequestError],
    [401, 'UNAUTHORIZED', UnauthorizedError],
    [403, 'FORBIDDEN', ForbiddenError],
    [404, 'NOT_FOUND', NotFoundError],
    [409, 'CONFLICT', ConflictError],
    [500, 'INTERNAL_SERVER_ERROR', InternalServerError],
  ] as const
  for (const [status, code, kind] of codes) {
    const failed = await once(
      () => error(status, code, [issue], { 'X-Request-Id': 'r1' }),
      ({ leads }) => leads.update('1', {}),
    )
    expect(failed).toBeInstanceOf(kind)
    expect(failed).toMatchObject({ status, code, issues: [issue], requestId: 'r1' })
    expect((failed as Error).name).toBe(kind.name)
    expect((failed as Error).message).toBe(`${code}; data.city: Must be a string`)
  }
  const page = await once(
    () => answerOf('<html>'),
    ({ lists }) => lists.list(),
  )
  expect(page).toBeInstanceOf(RapportError)
  expect(String(page)).toContain('The answer is not JSON')
})

test('what comes from a proxy is told as it is, or tried again', async () => {
  const once = async (answer: () => Answer) => {
    const { rapport, sent } = clientOf(answer)
    const failed = await outcome(rapport.leads.create({}))
    expect(sent).toHaveLength(1)
    return failed as RapportError
  }
  const moved = await once(() => answerOf('', 301, { Location: 'https://elsewhere/rest/lead' }))
  expect(moved).toMatchObject({ name: 'RapportError', status: 301 })
  expect(moved.message).toContain('leads to https://elsewhere/rest/lead')
  // As browsers show it.
  expect(await once(() => answerOf('', 0))).toMatchObject({ name: 'RapportError', status: 0 })
  for (const body of [null, 'Bad', [1], { message: {}, issues: 'no' }, { issues: [null, {}] }]) {
    const failed = await once(() => json(body, 400))
    expect(failed).toMatchObject({ status: 400, issues: [], message: 'The server answered 400' })
  }
  const cut = clientOf(
    () => answerOf('{"id":"1', 200, { 'Content-Type': 'application/json; charset=utf-8' }),
    () => answerOf('<html>', 524),
    () => json({ id: '1' }),
  )
  expect(await outcome(cut.rapport.leads.create({}))).toEqual({ id: '1' })
  expect(cut.sent).toHaveLength(3)
})

test('what the caller gets wrong is said at once', async () => {
  for (const url of ['crm.example.com', 'localhost:3000', '', undefined as unknown as string]) {
    expect(() => new Rapport({ url })).toThrow('url must begin with')
  }
  const { rapport, sent } = clientOf()
  await expect(rapport.tags.list({ headers: { 'If-Match': '“1”' } })).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
  const mine = new TypeError('of the caller')
  const onResponse = () => {
    throw mine
  }
  await expect(rapport.leads.create({}, { onResponse })).rejects.toBe(mine)
  expect(sent).toHaveLength(1)
  // However they are written, headers are sent once.
  const options = { headers: { 'content-type': 'application/x-ndjson' } }
  const lines = '{}'
  await rapport.transfer.import(lines, {}, options)
  expect(sent.at(-1)?.headers['content-type']).toBe('application/x-ndjson')
  await rapport.leads.create({}, { headers: { 'x-api-key': 'other' } })
  expect(sent.at(-1)?.headers['x-api-key']).toBe('other')
})

test('a time to wait may be a date, of the clock of the server', async () => {
  const { rapport, sent } = clientOf(
    () =>
      error(503, 'INTERNAL_SERVER_ERROR', [], {
        Date: 'Wed, 21 Oct 2015 07:28:00 GMT',
        'Retry-After': 'Wed, 21 Oct 2015 07:28:20 GMT',
      }),
    () => json([]),
  )
  const reading = rapport.tags.list()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toHaveLength(1)
  expect(await outcome(reading, 1_000)).toEqual([])

  // Longer than a timer can be, for a call without an end.
  const patient = clientOf(() => error(429, 'TOO_MANY_REQUESTS', [], { 'Retry-After': '9999999' }))
  patient.rapport.tags.list({ timeout: Number.POSITIVE_INFINITY }).then(() => {})
  await vi.advanceTimersByTimeAsync(600_000)
  expect(patient.sent).toHaveLength(1)
})

test('it waits as long as the service asks for, and not past its own time', async () => {
  const { rapport, sent } = clientOf(
    () => error(429, 'TOO_MANY_REQUESTS', [], { 'Retry-After': '20' }),
    () => json([]),
  )
  const reading = rapport.tags.list()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toHaveLength(1)
  expect(await outcome(reading, 1_000)).toEqual([])

  const patient = clientOf(() => error(429, 'TOO_MANY_REQUESTS', [], { 'Retry-After': '20' }))
  const began = Date.now()
  const refused = patient.rapport.tags.list({ timeout: 10_000 }).catch((reason) => reason)
  await vi.advanceTimersByTimeAsync(0)
  // It would be too late: it says so at once.
  expect(await refused).toBeInstanceOf(TooManyRequestsError)
  expect(Date.now()).toBe(began)

  const down = clientOf(() => new TypeError('fetch failed'))
  expect(await outcome(down.rapport.leads.create({}))).toBeInstanceOf(ConnectionError)
  const first = down.sent.length
  expect(first).toBeGreaterThan(8)
  expect(first).toBeLessThan(40)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(down.sent).toHaveLength(first)

  const silent = clientOf(() => 'never')
  const late = await outcome(silent.rapport.tags.list({ timeout: 5_000 }), 5_000)
  expect(late).toBeInstanceOf(TimeoutError)
  expect(String(late)).toContain('within 5000 ms')
})

test('the feed asks again when the service takes the connection and says nothing', async () => {
  const of = (seq: number) => new Response(`id: a.${seq}\ndata: {"seq":${seq}}\n\n`)
  const { rapport, sent } = clientOf(
    () => of(1),
    () => 'never',
    () => of(2),
    () => 'never',
  )
  const seen: number[] = []
  const leaving = new AbortController()
  const follow = async () => {
    for await (const { seq } of rapport.events({ signal: leaving.signal })) seen.push(seq)
  }
  const following = follow().catch((reason) => reason)
  await vi.waitFor(() => expect(seen).toEqual([1]))
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  await vi.advanceTimersByTimeAsync(61_000)
  await vi.waitFor(() => expect(seen).toEqual([1, 2]))
  expect(sent[2]?.url).toBe('http://crm/rest/events/stream?after=a.1')
  leaving.abort('enough')
  expect(await following).toBe('enough')
})

test('the signal of the caller ends a request, and the waiting for another', async () => {
  for (const answer of ['never', busy] as const) {
    const { rapport, sent } = clientOf(typeof answer === 'string' ? () => answer : answer)
    const leaving = new AbortController()
    const writing = rapport.leads.create({}, { signal: leaving.signal }).catch((reason) => reason)
    await vi.advanceTimersByTimeAsync(10)
    leaving.abort(new Error('enough'))
    expect(String(await writing)).toBe('Error: enough')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(sent).toHaveLength(1)
  }
  const { rapport, sent } = clientOf(() => 'never')
  await expect(rapport.tags.list({ signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect(sent).toEqual([])
})

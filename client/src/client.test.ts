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
  ({ ok: status < 400, status, headers: new Headers(headers), text: async () => text }) as Response
const json = (body: unknown, status = 200, headers = {}) =>
  answerOf(JSON.stringify(body), status, headers)
const error = (status: number, code: string, issues: unknown[] = [], headers = {}) =>
  json({ code, message: code, issues }, status, headers)
const busy = () => error(503, 'INTERNAL_SERVER_ERROR')

/** Gives the answers in their order, the last one again and again. */
function clientOf(...answers: (() => Answer)[]) {
  const sent: Sent[] = []
  const fake = (url: string, { method, headers, body, signal }: RequestInit) => {
    sent.push({ url, method, headers, body } as Sent)
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
      expect('Idempotency-Key' in (last?.headers ?? {})).toBe(takesIdempotencyKey(route))
      expect(last?.headers['X-API-KEY']).toBe('rk_1')
    }
  }
  await expect(rapport.leads.remove('')).rejects.toThrow('The id is missing')
  const file = 'first_name\nAda\n'
  await rapport.transfer.import(file, { tag: ['x', 'y'], dry_run: 'true' })
  expect(sent.at(-1)).toMatchObject({
    url: 'http://crm/rest/leads/import?tag=x&tag=y&dry_run=true',
    headers: { 'Content-Type': 'text/csv' },
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
  expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1)
  await rapport.leads.create({}, { idempotencyKey: 'mine', headers: { 'If-Match': '"1"' } })
  expect(sent.at(-1)?.headers).toMatchObject({ 'Idempotency-Key': 'mine', 'If-Match': '"1"' })
  expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(2)
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

// The Idempotency-Key header, over HTTP.
import { contract } from '@rapport/contract'
import { type Route, takesIdempotencyKey } from '@rapport/contract/route'

import { beforeEach, describe, expect, test, vi } from 'vitest'

import { withConfirm } from '../../test/confirm.ts'
import { fillWorkspace } from '../../test/fixture.ts'
import { type Answer, service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { raw, run } from '../db/sql.ts'

const app = service()
let space: Workspace
beforeEach(async () => {
  space = await app.workspace()
})

const send = (
  path: string,
  body: unknown,
  idempotencyKey: string,
  { method = 'POST', key = space.key } = {},
) =>
  app.request(`/rest${path}`, {
    method,
    headers: {
      ...(key.startsWith('rs_')
        ? {
            Cookie: `rapport-${new URL(app.url).port}=${key}`,
            'Sec-Fetch-Site': 'same-origin',
          }
        : { 'X-API-KEY': key }),
      'Idempotency-Key': idempotencyKey,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed')
const tooLarge = 'Already done. The response was too large to store.'
const tagCount = async () => (await space.get('/tags')).body.length

test('a repeated request is answered as the first time, and does nothing again', async () => {
  const first = await send('/tags', { name: 'Warm' }, 'one')
  const second = await send('/tags', { name: 'Warm' }, 'one')
  expect([first.status, replayed(first)]).toEqual([200, null])
  expect([second.status, replayed(second)]).toEqual([200, 'true'])
  expect(second.body).toEqual(first.body)
  expect(await tagCount()).toBe(1)
})

test('a repeated bulk change names the same operation', async () => {
  await space.post('/lead', { first_name: 'Ada' })
  const change = { filter: {}, data: { city: 'Rome' } }
  const [first, second] = [
    await send('/leads/update-many', change, 'one', { method: 'PATCH' }),
    await send('/leads/update-many', change, 'one', { method: 'PATCH' }),
  ]
  const operation = first.headers.get('x-operation-id')
  expect(operation).toEqual(expect.any(String))
  expect([replayed(second), second.headers.get('x-operation-id')]).toEqual(['true', operation])
})

test('another request with the same key is refused', async () => {
  await send('/tags', { name: 'Warm' }, 'one')
  const other = await send('/tags', { name: 'Cold' }, 'one')
  expect(other.status).toBe(422)
  expect(other.body).toMatchObject({ code: 'UNPROCESSABLE', issues: [] })
  expect((await send('/lists', { name: 'Warm' }, 'one')).status).toBe(422)
  expect(await tagCount()).toBe(1)
})

test('a failed request stores nothing, so that a retry runs', async () => {
  expect((await send('/tags', { name: '' }, 'one')).status).toBe(400)
  expect((await send('/tags', { name: 'Warm' }, 'one')).status).toBe(200)
})

test.each(['lists', 'status', 'tags', 'owners'])(
  'a lead with something under %s that does not exist is refused, and a retry without it runs',
  async (name) => {
    const lead = { first_name: 'Ada', [name]: ['01920000-0000-7000-8000-0000000000ff'] }
    const { status, body } = await send('/lead', lead, 'one')
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: [name, 0] })]])
    expect((await space.post('/leads/list')).body.total).toBe(0)
    expect((await send('/lead', { first_name: 'Ada' }, 'one')).status).toBe(200)
  },
)

test('the answer is kept for a day, and for each API key by itself', async () => {
  await send('/tags', { name: 'Warm' }, 'one')
  app.clock.advance(24 * 3_600_000 - 1)
  expect(replayed(await send('/tags', { name: 'Warm' }, 'one'))).toBe('true')
  app.clock.advance(1)
  expect(replayed(await send('/tags', { name: 'Warm' }, 'one'))).toBeNull()
  const key = await app.key(space, 'write')
  expect(replayed(await send('/tags', { name: 'Warm' }, 'one', { key }))).toBeNull()
  expect(await tagCount()).toBe(3)
})

test('a quoted key is the same as the bare one', async () => {
  await send('/tags', { name: 'Warm' }, '"a \\"b\\" c"')
  expect(replayed(await send('/tags', { name: 'Warm' }, 'a "b" c'))).toBe('true')
})

test.each([
  ['', 400],
  ['""', 400],
  ['x'.repeat(255), 200],
  ['x'.repeat(256), 400],
])('a key of %s is answered with %i', async (key, status) => {
  expect((await send('/tags', { name: 'Warm' }, key)).status).toBe(status)
})

/** Sends a request a hundred times at once: one is done, and the others get its response or 409. */
async function expectOneDone(request: () => Promise<Answer>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 100 }, request))
  const fresh = answers.filter((answer) => answer.status === 200 && !replayed(answer))
  expect(fresh).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status === 200) expect(answer.body).toEqual(fresh[0]?.body)
    else expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
  }
}

test.each([
  ['/lead', { first_name: 'Ada', company: 'Engines' }, [2, 3]],
  ['/lists', { name: 'Warm' }, [1, 2]],
])('a hundred equal requests at once make one record: %s', async (path, body, counts) => {
  const count = async () =>
    path === '/lead'
      ? (await space.post('/leads/list', {})).body.total
      : (await space.get(path)).body.length
  for (const expected of counts) {
    await expectOneDone(() => send(path, body, 'one'))
    expect(await count()).toBe(expected)
    // The second time there is a response that is too old.
    app.clock.advance(24 * 3_600_000)
  }
})

test('a hundred equal requests at once make one lead with an id of the client', async () => {
  await expectOneDone(() => send('/lead', { id: '01920000-0000-7000-8000-00000000abcd' }, 'one'))
})

test('of a hundred different requests with one key at once, one is done', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_none, index) => send('/lead', { score: index }, 'one')),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
  expect((await space.post('/leads/list', {})).body.total).toBe(1)
})

describe('while the first is in progress, the second gets 409; afterwards the answer of the first', () => {
  test.each([
    ['in a transaction', 'tag', false],
    ['in a transaction, when an old answer is there', 'tag', true],
    ['together with others', 'list', false],
    ['together with others, when an old answer is there', 'list', true],
  ] as const)('%s', async (_way, kind, hasOld) => {
    const { id } = (await space.post(`/${kind}s`, { name: 'Warm' })).body
    const again = () =>
      kind === 'tag'
        ? send(`/tags/${id}`, { name: 'Hot' }, 'one', { method: 'PATCH' })
        : send('/lead', { lists: [id] }, 'one')
    if (hasOld) await again()
    app.clock.advance(24 * 3_600_000)
    let first: ReturnType<typeof send> | undefined
    await app.db.begin(async (tx) => {
      const { id_space } = space
      await run(tx)`select from ${raw(kind)} where id_space = ${id_space} for update`
      first = again()
      // It has the lock of its key by then.
      await expectLockWaits(app.db, 1)
      const second = await again()
      expect([second.status, second.body.code]).toEqual([409, 'CONFLICT'])
    })
    const answer = await first
    expect([answer?.status, answer && replayed(answer)]).toEqual([200, null])
    const third = await again()
    expect([replayed(third), third.body]).toEqual(['true', answer?.body])
  })
})

describe('POST /lead', () => {
  test('with a key is one transaction', async () => {
    // The service reads the API key once.
    await space.get('/me')
    const before = app.statements
    const begin = vi.spyOn(app.pool, 'begin')
    await send('/lead', { first_name: 'Ada' }, 'one')
    expect([app.statements - before, begin.mock.calls.length]).toEqual([0, 1])
    begin.mockRestore()
  })

  test('another lead with the same key is refused', async () => {
    await send('/lead', { first_name: 'Ada' }, 'one')
    const other = await send('/lead', { first_name: 'Grace' }, 'one')
    expect([other.status, other.body.code]).toEqual([422, 'UNPROCESSABLE'])
    expect((await space.post('/leads/list', {})).body.total).toBe(1)
  })

  test('is answered as the first time even if it would be refused now', async () => {
    const { id } = (await space.post('/attributes', { name: 'Size', type: 'TEXT' })).body
    const list = (await space.post('/lists', { name: 'Warm' })).body.id
    const lead = { attributes: { [id]: 'large' }, lists: [list] }
    const first = await send('/lead', lead, 'one')
    expect(first.status).toBe(200)
    await space.remove(`/attributes/${id}`)
    await space.remove(`/lists/${list}`)
    const second = await send('/lead', lead, 'one')
    expect([second.status, replayed(second)]).toEqual([200, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await send('/lead', lead, 'two')).status).toBe(400)
  })

  test('keeps an answer up to 64 KB, and a larger one as done', async () => {
    const { length } = JSON.stringify((await space.post('/lead', { icebreaker: '' })).body)
    const room = 64 * 1024 - length
    for (const [size, isKept] of [
      [room, true],
      [room + 1, false],
    ] as const) {
      // A character of two bytes: bytes are counted.
      const lead = { icebreaker: `é${'x'.repeat(size - 2)}` }
      const first = await send('/lead', lead, `key ${size}`)
      const second = await send('/lead', lead, `key ${size}`)
      expect(replayed(second)).toBe('true')
      expect(second.body).toEqual(isKept ? first.body : tooLarge)
    }
  })
})

test('an answer that is too large is kept as done', async () => {
  const lead = (await space.post('/lead', { first_name: 'Ada' })).body
  const change = { icebreaker: 'x'.repeat(70_000) }
  const first = await send(`/lead/${lead.id}`, change, 'one', { method: 'PATCH' })
  expect(first.body.icebreaker).toHaveLength(70_000)
  const second = await send(`/lead/${lead.id}`, change, 'one', { method: 'PATCH' })
  expect([second.status, replayed(second), second.body]).toEqual([200, 'true', tooLarge])
})

test('work in the background begins after the commit, and once', async () => {
  const { id } = (await space.post('/lead', { first_name: 'Ada' })).body
  const wanted = { kind: 'update', filter: { leads: [id] }, data: { city: 'Rome' } }
  const { confirm } = (await space.post('/operations/preview', wanted)).body
  const again = () => send('/operations', { ...wanted, confirm, wait: false }, 'one')
  const first = await again()
  expect(first.body.state).toBe('running')
  const operation = async () => (await space.get(`/operations/${first.body.id}`)).body
  await expect.poll(async () => (await operation()).state).toBe('done')
  expect((await space.get(`/lead/${id}`)).body.city).toBe('Rome')
  expect((await again()).body).toEqual(first.body)
  expect((await space.get('/operations')).body.operations).toHaveLength(1)
})

test('routes that only read ignore the header', async () => {
  expect((await send('/leads/list', {}, 'one')).status).toBe(200)
  expect(replayed(await send('/leads/list', {}, 'one'))).toBeNull()
})

const writes = Object.values(contract)
  .flatMap(({ routes }) => Object.values<Route>(routes))
  .filter(({ method, role }) => method !== 'GET' && role !== 'read')

describe.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    test('honors the header, unless it is an import, waits, has a secret to tell, or needs a person', async () => {
      const { accepts, secret, waits, person } = route
      const isFree = Boolean(accepts || secret || waits || person === 'always')
      expect(takesIdempotencyKey(route)).toBe(!isFree)
      if (isFree) return
      await fillWorkspace(app.db, space)
      const path = route.path.replace('{id}', route.example.id ?? '')
      const body = await withConfirm(space, route.path, route.example.body)
      const { key } = route.person ? await app.person(space) : space
      const again = () => send(path, body, 'one', { method: route.method, key })
      const first = await again()
      const second = await again()
      expect([first.status, replayed(first)]).toEqual([200, null])
      expect([second.status, replayed(second)]).toEqual([200, 'true'])
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
    })
  },
)

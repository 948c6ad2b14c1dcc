import { type Event, eventTypes } from '@rapport/contract'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { type Received, type Receiver, startReceiver } from '../../../test/receiver.ts'
import { run } from '../../db/sql.ts'
import { pruneWebhooks } from './webhooks.sql.ts'

const app = service({ config: { webhookAllow: ['127.0.0.0/8'] } })
let space: Workspace
let receiver: Receiver

beforeAll(() => app.dispatcher.start())
beforeEach(async () => {
  space = await app.workspace()
  receiver = await startReceiver()
})

const minute = 60_000
const hour = 60 * minute

/** Creates a webhook for the receiver. */
async function subscribe(more = {}, to = space) {
  const { status, body } = await to.post('/webhooks', { url: `${receiver.url}/hook`, ...more })
  expect(status).toBe(200)
  return body
}

/** Creates tags. Returns the numbers of their events. */
async function makeTags(count: number, to = space): Promise<number[]> {
  const seqs = async () => {
    const { body } = await to.get('/events?types=tag.created&limit=1000')
    return body.events.map(({ seq }: { seq: number }) => seq)
  }
  const before = (await seqs()).length
  for (let index = 0; index < count; index++) await to.post('/tags', { name: `Tag ${index}` })
  await expect.poll(async () => (await seqs()).length).toBe(before + count)
  return (await seqs()).slice(before)
}

const listed = async (id: string, of = space) =>
  (await of.get('/webhooks')).body.find((one: { id: string }) => one.id === id)

/** Moves the clock of the service, and lets it look. Not while somebody sends: a lease would expire. */
async function advance(ms: number): Promise<void> {
  const leased = () => run(app.db)`select id from delivery_queue where lease is not null`
  await expect.poll(leased).toEqual([])
  app.clock.advance(ms)
  app.dispatcher.look()
}

/** The package looks at the clock of the machine. */
function verify(secret: string, { body, headers }: Received): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

describe('routes', () => {
  test('the secret is returned once, and other members see no webhook', async () => {
    const made = await subscribe({ name: 'Flow', types: ['tag.*'], include: ['lead'] })
    expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const { secret, ...rest } = made
    expect(rest).toMatchObject({ name: 'Flow', include: ['lead'], state: 'active', failures: 0 })
    expect((await space.get('/webhooks')).body).toEqual([{ ...rest, behind: expect.any(Number) }])
    const stored = await run(app.db)`select secret from webhook where id = ${made.id}`
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6))
    const writer = app.as(await app.key(space, 'write'))
    for (const answer of [await writer.get('/webhooks'), await writer.post('/webhooks', {})]) {
      expect(answer.status).toBe(403)
    }
    // The name is that of the host if there is no other.
    expect((await subscribe()).name).toBe(new URL(receiver.url).host)
  })

  test.each([
    ['ftp://example.com', 'url'],
    ['example.com/hook', 'url'],
    ['https://user:secret@example.com/', 'url'],
    ['https://10.1.2.3/', 'url'],
    ['https://[::1]/', 'url'],
    ['http://93.184.215.14/', 'url'],
  ])('the address %s is refused', async (url, path) => {
    const { status, body } = await space.post('/webhooks', { url })
    expect([status, body.issues[0]?.path]).toEqual([400, [path]])
  })

  test.each([
    { types: ['lead.gone'] },
    { types: [''] },
    { filter: { nothing: true } },
    { include: ['note'] },
    { expires_at: '2020-01-01T00:00:00Z' },
    { name: ' ' },
  ])('refuses %j', async (more) => {
    const url = 'https://example.com/hook'
    const refused = await space.post('/webhooks', { url, ...more })
    expect([refused.status, refused.body.issues[0].path[0]]).toEqual([400, Object.keys(more)[0]])
    const { id } = await subscribe()
    expect((await space.patch(`/webhooks/${id}`, more)).status).toBe(400)
  })

  test('a workspace can have 500', async () => {
    const { id } = await subscribe()
    await run(
      app.db,
    )`insert into webhook (id_space, id, name, url, types, filter, include, secret, state, seq, created_at, updated_at)
        select id_space, gen_random_uuid(), name, url, types, filter, include, secret, 'paused', seq, created_at, updated_at
        from webhook, generate_series(1, 499) where id = ${id}`
    const { status, body } = await space.post('/webhooks', { url: receiver.url })
    expect([status, body.issues[0].code]).toEqual([400, 'no_room'])
  })

  test('deleting answers 200 also when it is gone, and what happens is in the audit log', async () => {
    const { id } = await subscribe({ name: 'Flow' })
    await space.patch(`/webhooks/${id}`, { paused: true })
    await space.post(`/webhooks/${id}/rotate`)
    await makeTags(1)
    await space.post(`/webhooks/${id}/replay`, { from: '2020-01-01T00:00:00Z' })
    for (let time = 0; time < 2; time++) {
      expect(await space.remove(`/webhooks/${id}`)).toMatchObject({ status: 200 })
    }
    for (const path of ['attempts', 'test', 'rotate']) {
      const method = path === 'attempts' ? 'GET' : 'POST'
      expect((await space.call(method, `/webhooks/${id}/${path}`)).status).toBe(404)
    }
    const { body } = await space.get('/audit')
    const entries: { action: string; about: object }[] = body.entries.toReversed()
    expect(entries.map(({ action }) => action)).toEqual([
      ...['webhook.created', 'webhook.updated', 'webhook.rotated', 'webhook.deleted'],
    ])
    for (const { about } of entries) {
      expect(about).toMatchObject({ id, name: 'Flow', origin: receiver.url })
    }
  })

  test('without a key to keep secrets with, it says what to set', async () => {
    const { url, app: other } = await app.another(0, { secrets: undefined })
    const response = await fetch(`${url}/rest/webhooks`, {
      method: 'POST',
      headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: receiver.url }),
    })
    expect(await response.text()).toContain('Webhooks require SECRET_KEY')
    await other.close()
  })

  test('samples: one event of each type, with a lead of the workspace', async () => {
    const none = (await space.get('/events/samples')).body
    expect(none.map(({ type }: Event) => type)).toEqual(eventTypes)
    const created = none.filter(({ type }: Event) => type.endsWith('.created'))
    for (const { type, changed } of created) expect(changed, type).not.toEqual({})
    expect(none[0]).toMatchObject({ type: 'lead.created', lead: null, test: true })
    const { body: lead } = await space.post('/lead', { first_name: 'Ada' })
    const { body } = await space.get('/events/samples?types=lead.created,note.*')
    expect(body.map(({ type }: { type: string }) => type)).toEqual([
      ...['lead.created', 'note.created', 'note.updated', 'note.deleted'],
    ])
    expect(body[0]).toMatchObject({ ids: [lead.id], lead: { id: lead.id, first_name: 'Ada' } })
    expect(body[1].changed.id_lead).toEqual([null, lead.id])
    expect((await space.get('/events/samples?types=lead.gone')).status).toBe(400)
  })
})

describe('what is sent', () => {
  test('events in the order of the feed, signed, also through a rotation', async () => {
    const { id, secret } = await subscribe({ types: ['tag.*'] })
    const first = await makeTags(3)
    await expect.poll(() => receiver.seqs()).toEqual(first)
    const [event] = (await space.get(`/events?types=tag.*`)).body.events
    const [got] = receiver.received as [Received]
    expect(verify(secret, got)).toEqual(event)
    const other = await subscribe({ types: ['list.*'] })
    expect(() => verify(other.secret, got)).toThrow()

    const rotated = (await space.post(`/webhooks/${id}/rotate`)).body
    const [second] = await makeTags(1)
    await expect.poll(() => receiver.seqs()).toEqual([...first, second])
    for (const one of [secret, rotated.secret]) verify(one, receiver.received[3] as Received)
    await advance(24 * hour)
    const [third] = await makeTags(1)
    await expect.poll(() => receiver.seqs().at(-1)).toBe(third)
    verify(rotated.secret, receiver.received[4] as Received)
    expect(() => verify(secret, receiver.received[4] as Received)).toThrow()

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(5)
    await expect.poll(() => listed(id)).toMatchObject({ behind: 0, state: 'active' })
    const { attempts, next } = (await space.get(`/webhooks/${id}/attempts?limit=2`)).body
    expect(attempts).toMatchObject([
      { seq: third, type: 'tag.created', status: 200, error: null, answer: 'ok' },
      { seq: second },
    ])
    const older = (await space.get(`/webhooks/${id}/attempts?after=${next}`)).body
    expect([older.attempts.length, older.next]).toEqual([3, null])
    await pruneWebhooks(app.db, new Date(app.clock.now.getTime() + 8 * 24 * hour))
    expect((await space.get(`/webhooks/${id}/attempts`)).body.attempts).toEqual([])
  })

  test('the lead as it is now, and only events of leads that the filter selects', async () => {
    const filter = { fields: [{ field: 'city', operator: 'is', value: 'Porto' }] }
    const types = ['lead.*', 'note.*', 'tag.*']
    await subscribe({ types, filter, include: ['lead'] })
    const cities = ['Porto', 'Oslo', 'Porto']
    const leads: string[] = []
    for (const city of cities) leads.push((await space.post('/lead', { city })).body.id)
    const [porto, oslo, other] = leads
    await space.post('/notes', { id_lead: oslo, content: 'Called' })
    await space.post('/notes', { id_lead: porto, content: 'Called' })
    await space.post('/tags', { name: 'Warm' })
    await space.patch('/leads/update-many', { filter: {}, data: { company_role: 'Buyer' } })
    // Later events would not have a lead that is gone.
    await expect.poll(() => receiver.received.length).toBe(5)
    await space.remove(`/lead/${other}`)
    await expect.poll(() => receiver.received.length).toBe(6)
    const got = receiver.received.map(({ event }) => [event.type, event.ids, event.lead?.id])
    expect(got).toEqual([
      ['lead.created', [porto], porto],
      ['lead.created', [other], other],
      ['note.created', [expect.any(String)], porto],
      ['tag.created', [expect.any(String)], undefined],
      [
        'lead.updated',
        expect.toSatisfy(
          (ids) => [porto, other].every((id) => ids.includes(id)) && ids.length === 2,
        ),
        undefined,
      ],
      // It is gone.
      ['lead.deleted', [other], undefined],
    ])
  })

  test('a filter that cannot be used anymore disables the webhook', async () => {
    const { body: attribute } = await space.post('/attributes', { name: 'Budget', type: 'NUMBER' })
    const condition = { id: attribute.id, operator: 'is_not_empty' }
    const { id } = await subscribe({ filter: { attributes: [condition] }, types: ['lead.*'] })
    await space.remove(`/attributes/${attribute.id}`)
    await space.post('/lead', {})
    await expect.poll(() => listed(id)).toMatchObject({ state: 'disabled', reason: 'filter' })
    expect(receiver.received).toEqual([])
  })

  test('nothing of another workspace', async () => {
    const other = await app.workspace()
    await subscribe({ types: ['tag.*'] }, other)
    await subscribe({ types: ['tag.*'], url: `${receiver.url}/own` })
    await makeTags(1)
    await makeTags(1, other)
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hook', '/own'])
    const theirs = receiver.received.find(({ path }) => path === '/hook')?.event.ids
    expect((await other.get('/tags')).body.map(({ id }: { id: string }) => id)).toEqual(theirs)
  })

  test('nothing while it is paused; then what has happened in the meantime', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    await space.patch(`/webhooks/${id}`, { paused: true })
    expect(await listed(id)).toMatchObject({ state: 'paused', reason: 'person' })
    const seqs = await makeTags(2)
    expect((await listed(id)).behind).toBe(2)
    expect(receiver.received).toEqual([])
    await space.patch(`/webhooks/${id}`, { paused: false })
    await expect.poll(() => receiver.seqs()).toEqual(seqs)
  })

  test('nothing after it has expired', async () => {
    const expires_at = new Date(app.clock.now.getTime() + hour).toISOString()
    const { id } = await subscribe({ expires_at })
    await advance(hour)
    await makeTags(1)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'disabled', reason: 'expired' })
    expect(receiver.received).toEqual([])
  })

  test('a span again, with the same ids', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    const seqs: number[] = []
    const times: string[] = []
    for (let index = 0; index < 4; index++) {
      await advance(minute)
      seqs.push(...(await makeTags(1)))
      times.push(app.clock.now.toISOString())
    }
    await expect.poll(() => receiver.seqs()).toEqual(seqs)
    await expect.poll(() => listed(id)).toMatchObject({ behind: 0 })
    const span = { from: times[1], to: times[2] }
    expect((await space.post(`/webhooks/${id}/replay`, span)).status).toBe(200)
    await expect.poll(() => receiver.seqs()).toEqual([...seqs, seqs[1], seqs[2]])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids.slice(4)).toEqual(ids.slice(1, 3))
    await expect.poll(async () => (await listed(id)).replaying).toBe(0)
    const nothing = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
    expect((await space.post(`/webhooks/${id}/replay`, nothing)).body.replaying).toBe(0)
  })

  test('a test, now, with what came back', async () => {
    const { id, secret } = await subscribe({ types: ['lead.updated'], include: ['lead'] })
    await space.patch(`/webhooks/${id}`, { paused: true })
    const { body: lead } = await space.post('/lead', { first_name: 'Ada' })
    receiver.answer = (_request, response) => void response.writeHead(418).end('a teapot')
    const { status, body } = await space.post(`/webhooks/${id}/test`)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ seq: null, status: 418, answer: 'a teapot' }),
    ])
    const [got] = receiver.received as [Received]
    expect(verify(secret, got)).toMatchObject({
      type: 'lead.updated',
      test: true,
      lead: { id: lead.id },
    })
    expect((await space.get(`/webhooks/${id}/attempts`)).body.attempts).toEqual([body])
    expect(await listed(id)).toMatchObject({ state: 'paused', failures: 0 })

    // What the receiver has said of a lead goes with the lead.
    const { body: preview } = await space.post('/operations/preview', {
      kind: 'erase',
      filter: {},
      data: {},
    })
    await space.post('/leads/erase', { filter: {}, confirm: preview.confirm })
    expect((await space.get(`/webhooks/${id}/attempts`)).body.attempts[0].answer).toBeNull()
  })
})

describe('failures', () => {
  /** Moves the clock in steps, and waits for the attempts of each. */
  async function advanceThrough(id: string, steps: number[]): Promise<void> {
    const isTried = async () => {
      const { next_attempt_at } = await listed(id)
      return next_attempt_at !== null && Date.parse(next_attempt_at) > app.clock.now.getTime()
    }
    for (const step of steps) {
      await expect.poll(isTried).toBe(true)
      await advance(step)
    }
    await expect.poll(isTried).toBe(true)
  }

  const fail = (status: number, headers = {}) => {
    receiver.answer = (_request, response) => void response.writeHead(status, headers).end('no')
  }

  test('an event is tried again, then set aside, and the rest goes on', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    let bad = 0
    receiver.answer = ({ event }, response) =>
      void response.writeHead(event.seq === bad ? 500 : 200).end('')
    bad = 1
    const [first, second] = await makeTags(2)
    await expect.poll(() => receiver.seqs()).toEqual([first])
    await expect
      .poll(() => listed(id))
      .toMatchObject({ state: 'retrying', failures: 1, retrying: 1 })
    await advance(6_000)
    await expect.poll(() => receiver.seqs()).toEqual([first, first])
    await advance(6 * minute)
    await expect.poll(() => receiver.seqs()).toEqual([first, first, first, second])
    await expect.poll(() => listed(id)).toMatchObject({ state: 'active', retrying: 1 })
    const [third] = await makeTags(1)
    await expect.poll(() => receiver.seqs()).toEqual([first, first, first, second, third])
    bad = 0
    await advance(34 * minute)
    await expect.poll(() => receiver.seqs().at(-1)).toBe(first)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'active', retrying: 0 })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(3)
  })

  test('a receiver that is down for 48 hours gets everything, in order', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    fail(503)
    const seqs = await makeTags(8)
    await advanceThrough(id, [6_000, 6 * minute, ...Array(48).fill(hour)])
    await expect.poll(() => listed(id)).toMatchObject({ state: 'waiting' })
    const late = await makeTags(2)
    const tried = receiver.received.length
    receiver.answer = (_request, response) => void response.end()
    await advance(2 * hour)
    await expect.poll(() => receiver.seqs().slice(tried)).toEqual([...seqs, ...late])
    await expect.poll(() => listed(id)).toMatchObject({ state: 'active', behind: 0, retrying: 0 })
  })

  test('after five days it is disabled; a person resumes it', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    fail(500)
    const [seq] = await makeTags(1)
    await advanceThrough(id, Array(4).fill(27 * hour))
    await advance(27 * hour)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'disabled', reason: 'failing' })
    const { entries } = (await space.get('/audit')).body
    expect(entries[0]).toMatchObject({
      action: 'webhook.disabled',
      about: { id, reason: 'failing' },
      actor: { way: 'schedule' },
    })
    receiver.answer = (_request, response) => void response.end()
    const tried = receiver.received.length
    await space.patch(`/webhooks/${id}`, { paused: false })
    await expect.poll(() => receiver.seqs().slice(tried)).toEqual([seq])
    await expect
      .poll(() => listed(id))
      .toMatchObject({ state: 'active', reason: null, failures: 0 })
  })

  test('410 disables it at once, and admins are told', async () => {
    const { id } = await subscribe()
    fail(410)
    await makeTags(1)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'disabled', reason: 'gone' })
    expect((await space.get('/notifications')).body.notifications[0]).toMatchObject({
      ...{ kind: 'webhook', record: id, actor: null },
    })
  })

  test('Retry-After is honored', async () => {
    const { id } = await subscribe()
    fail(429, { 'Retry-After': '3600' })
    await makeTags(1)
    await expect
      .poll(async () => (await listed(id)).next_attempt_at)
      .toBe(new Date(app.clock.now.getTime() + hour).toISOString())
  })

  test('a redirect is a failure, and is not followed', async () => {
    const target = await startReceiver()
    const { id } = await subscribe()
    fail(307, { Location: target.url })
    await makeTags(1)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'retrying' })
    const { body } = await space.get(`/webhooks/${id}/attempts`)
    expect(body.attempts).toMatchObject([{ status: 307 }])
    expect(target.connections).toBe(0)
  })

  test('a new address is tried at once', async () => {
    const { id } = await subscribe({ types: ['tag.*'], url: 'http://127.0.0.1:9/' })
    const [seq] = await makeTags(1)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'retrying', failures: 1 })
    const { body } = await space.get(`/webhooks/${id}/attempts`)
    expect(body.attempts).toMatchObject([{ status: null, error: 'The connection was refused' }])
    await space.patch(`/webhooks/${id}`, { url: receiver.url })
    await expect.poll(() => receiver.seqs()).toEqual([seq])
  })

  test('a secret that this server cannot read disables it, until it is rotated', async () => {
    const { id } = await subscribe({ types: ['tag.*'] })
    await run(app.db)`update webhook set secret = 'v1.a.b.c' where id = ${id}`
    const [seq] = await makeTags(1)
    await expect.poll(() => listed(id)).toMatchObject({ state: 'disabled', reason: 'secret' })
    expect((await space.patch(`/webhooks/${id}`, { paused: false })).status).toBe(400)
    const { secret } = (await space.post(`/webhooks/${id}/rotate`)).body
    await space.patch(`/webhooks/${id}`, { paused: false })
    await expect.poll(() => receiver.seqs()).toEqual([seq])
    verify(secret, receiver.received[0] as Received)
  })
})

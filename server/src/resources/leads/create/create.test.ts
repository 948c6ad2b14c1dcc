// Leads that arrive while others are being written are written together. Nobody notices: neither in the
// answers nor in the events, whatever happens to a neighbor.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../../test/events.ts'
import { type Answer, service, type Workspace } from '../../../../test/harness.ts'
import { expectLockWaits, selectWaiting } from '../../../../test/lock-waits.ts'
import { writeRaw } from '../../../../test/raw-http.ts'
import type { Db } from '../../../db/driver.ts'
import { raw, run } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'

// With connections for requests that wait, and for those beside them.
const app = service({ connections: 20 })
let space: Workspace
/** How many leads each statement inserted. */
let written: number[]

beforeEach(async () => {
  space = await app.workspace()
  // The service reads the API key once.
  await space.get('/me')
  written = []
  const options = app.pool.options as { debug: unknown }
  const debug = options.debug as (...args: unknown[]) => void
  options.debug = (connection: number, text: string, values: string[], types: number[]) => {
    debug(connection, text, values, types)
    const [, form] = /insert into lead \([^)]*\) (values|select)/.exec(text) ?? []
    if (form) written.push(form === 'values' ? 1 : JSON.parse(values.at(-1) ?? '').length)
  }
  restore = () => {
    options.debug = debug
  }
})
let restore = () => {}
afterEach(() => restore())

const makeList = async (name = 'List', to = space): Promise<string> =>
  (await to.post('/lists', { name })).body.id
const total = async () => (await space.post('/leads/list', {})).body.total
const lead = (body: object) => space.post('/lead', body)
const lockList = (tx: Db, id: string) =>
  run(tx)`select from list where id_space = ${space.id_space} and id = ${id} for update`

/** Until everything that was sent before has arrived: the service is in this process. */
async function arrived(): Promise<void> {
  for (let times = 0; times < 5; times++) await space.get('/me')
}

const insertRow = (tx: Db, id: string) =>
  run(tx)`insert into lead (id_space, id, created_at)
      values (${space.id_space}, ${id}, ${app.clock.now})`
const deleteRow = (tx: Db, id: string) =>
  run(tx)`delete from lead where id_space = ${space.id_space} and id = ${id}`

/** Sends requests that are written together: they arrive while another lead waits for its id. */
async function together<T>(send: () => T): Promise<T> {
  const id = newId()
  const { first, sent } = await app.db.begin(async (tx) => {
    await insertRow(tx, id)
    const first = lead({ id })
    await expectLockWaits(app.db, 1, 'insert into lead')
    written = []
    const sent = send()
    await arrived()
    await deleteRow(tx, id)
    return { first, sent }
  })
  expect((await first).status).toBe(200)
  return sent
}

const statusOf = (answers: Answer[]) => answers.map(({ status }) => status)

test('leads that arrive together are written by one statement, each with its own answer and event', async () => {
  const member = await app.member(space)
  const other = app.as(await app.key(space, 'write', member))
  await other.get('/me')
  const tag = (await space.post('/tags', { name: 'Warm' })).body.id
  const bodies = [
    { first_name: 'Ada', email: 'ada@example.com' },
    { last_name: 'Hopper', tags: [tag], score: 3, contract_value: '12' },
    { company: 'Engines', is_company: true },
  ]
  const answers = await Promise.all(
    await together(() => [...bodies.map(lead), other.post('/lead', { first_name: 'Tom' })]),
  )
  expect(statusOf(answers)).toEqual([200, 200, 200, 200])
  expect(written).toEqual([4])
  const events = (await writtenEvents(app.db, space, 'lead.created')).slice(1)
  for (const { body, headers } of answers) {
    const [event, ...more] = events.filter(({ ids }) => ids.includes(body.id))
    expect(more).toEqual([])
    expect(event).toMatchObject({ ids: [body.id], request_id: headers.get('x-request-id') })
    const { body: stored } = await space.get(`/lead/${body.id}`)
    expect(stored).toMatchObject(body)
  }
  expect(events.map(({ id_member }) => id_member)).toEqual([
    ...[space.owner, space.owner, space.owner],
    member,
  ])
  expect(events[1]?.changed).toMatchObject({ last_name: [null, 'Hopper'], tags: [[], [tag]] })
  expect(await total()).toBe(5)
})

test.each([
  ['lists', 'a list'],
  ['status', 'a status'],
  ['tags', 'a tag'],
  ['owners', 'an owner'],
])('a lead with %s that do not exist is refused alone', async (name) => {
  const answers = await Promise.all(
    await together(() => [
      lead({ first_name: 'Ada' }),
      lead({ [name]: [newId()] }),
      lead({ first_name: 'Grace' }),
    ]),
  )
  expect(statusOf(answers)).toEqual([200, 400, 200])
  expect(answers[1]?.body.issues).toMatchObject([{ path: [name, 0], code: 'unknown_record' }])
  expect(written).toEqual([2])
  expect(await total()).toBe(3)
})

test('of two leads with one id the first is written, the second is refused', async () => {
  const id = newId()
  const taken = (await lead({})).body.id
  const answers = await Promise.all(
    await together(() => [
      lead({ id, first_name: 'Ada' }),
      lead({ first_name: 'Grace' }),
      lead({ id: id.toUpperCase(), first_name: 'Tom' }),
      lead({ id: taken }),
    ]),
  )
  expect(statusOf(answers)).toEqual([200, 200, 400, 400])
  expect(answers[2]?.body.issues).toMatchObject([{ path: ['id'], code: 'taken' }])
  expect(answers[3]?.body.issues).toMatchObject([{ path: ['id'], code: 'taken' }])
  expect((await space.get(`/lead/${id}`)).body.first_name).toBe('Ada')
  expect(await total()).toBe(4)
})

test('a lead whose list is locked waits alone', async () => {
  const list = await makeList()
  let slow: Promise<Answer> | undefined
  await app.db.begin(async (tx) => {
    await lockList(tx, list)
    const [first, waiting, last] = await together(() => [
      lead({ first_name: 'Ada' }),
      lead({ lists: [list] }),
      lead({ first_name: 'Grace' }),
    ])
    slow = waiting
    expect(statusOf(await Promise.all([first, last] as Promise<Answer>[]))).toEqual([200, 200])
    // Those who come later do not wait for it either.
    expect((await lead({ first_name: 'Tom' })).status).toBe(200)
    await expectLockWaits(app.db, 1, 'from list')
  })
  expect((await slow)?.status).toBe(200)
  expect(await total()).toBe(5)
})

describe('a group is stopped in the middle', () => {
  test.each(['terminate', 'cancel'])('by pg_%s_backend: each lead is written', async (how) => {
    const id = newId()
    let answers: Promise<Answer>[] = []
    await app.db.begin(async (tx) => {
      // The group waits for this one: the id may become free again.
      await insertRow(tx, id)
      answers = await together(() => [
        lead({ first_name: 'Ada' }),
        lead({ id, first_name: 'Grace' }),
        lead({ first_name: 'Tom' }),
      ])
      await expectLockWaits(app.db, 1, 'insert into lead')
      await run(app.db)`select ${raw(`pg_${how}_backend`)}(pid)
          from unnest(${await selectWaiting(app.db)}::int[]) pid`
      const [first, , last] = answers
      expect(statusOf(await Promise.all([first, last] as Promise<Answer>[]))).toEqual([200, 200])
      await deleteRow(tx, id)
    })
    expect((await answers[1])?.status).toBe(200)
    expect(await total()).toBe(4)
    expect(await writtenEvents(app.db, space, 'lead.created')).toHaveLength(4)
  })
})

test('a client that leaves changes nothing for the others', async () => {
  const body = JSON.stringify({ first_name: 'Gone' })
  const [answers] = await together(() => {
    const head = `POST /rest/lead HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n`
    const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const gone = writeRaw(app.url, head + rest)
    const both = [lead({ first_name: 'Ada' }), lead({ first_name: 'Grace' })]
    gone.once('connect', () => setImmediate(() => gone.destroy()))
    return [both]
  })
  expect(statusOf(await Promise.all(answers ?? []))).toEqual([200, 200])
})

test('two workspaces never share a group', async () => {
  const other = await app.workspace()
  const [answers] = await together(() => [
    [lead({ first_name: 'Ada' }), lead({ first_name: 'Tom' }), other.post('/lead', {})],
  ])
  const [, , elsewhere] = answers ?? []
  expect((await elsewhere)?.status).toBe(200)
  expect(statusOf(await Promise.all(answers ?? []))).toEqual([200, 200, 200])
  expect(written.toSorted()).toEqual([1, 2])
  expect(await total()).toBe(3)
  expect((await other.post('/leads/list', {})).body.total).toBe(1)
})

describe('with an Idempotency-Key', () => {
  const once = (key: string, body: object, by = space.key) =>
    app.request('/rest/lead', {
      method: 'POST',
      headers: { 'X-API-KEY': by, 'Idempotency-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')

  test('a repeated request in a group is answered as before, the others are written', async () => {
    const key = await app.key(space, 'write')
    await app.as(key).get('/me')
    const before = await once('one', { first_name: 'Ada' })
    const answers = await Promise.all(
      await together(() => [
        once('one', { first_name: 'Ada' }),
        once('one', { first_name: 'Ada' }, key),
        once('one', { first_name: 'Grace' }),
        once('two', { first_name: 'Tom' }),
        once('two', { first_name: 'Tom' }),
        lead({ first_name: 'Lea' }),
      ]),
    )
    expect(statusOf(answers)).toEqual([200, 200, 422, 200, 200, 200])
    expect(answers.map(replayed)).toEqual(['true', null, null, null, 'true', null])
    expect(answers[0]?.body).toEqual(before.body)
    expect(answers[4]?.body).toEqual(answers[3]?.body)
    expect(await total()).toBe(5)
  })

  test('a request that is repeated while the first waits for a list gets 409 at once', async () => {
    const list = await makeList()
    let first: Promise<Answer> | undefined
    await app.db.begin(async (tx) => {
      await lockList(tx, list)
      const [one] = await together(() => [
        once('one', { lists: [list] }),
        lead({ first_name: 'Ada' }),
      ])
      first = one as Promise<Answer>
      await expectLockWaits(app.db, 1, 'from list')
      const answers = await Promise.all(
        await together(() => [once('one', { lists: [list] }), lead({ first_name: 'Grace' })]),
      )
      expect(statusOf(answers)).toEqual([409, 200])
    })
    expect((await first)?.status).toBe(200)
    expect(replayed(await once('one', { lists: [list] }))).toBe('true')
  })
})

test('people of one company who come together get one company, also from two processes', async () => {
  const { app: second, url } = await app.another()
  try {
    const names = ['Engines', ' engines', 'ENGINES\t', 'Looms']
    const elsewhere = (company: string) =>
      fetch(`${url}/rest/lead`, {
        method: 'POST',
        headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ company }),
      })
    const answers = await Promise.all(
      Array.from({ length: 8 }).flatMap(() =>
        names.flatMap((company) => [lead({ company }), elsewhere(company)]),
      ),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body } = await space.post('/leads/list', { pagination: { page_size: 100 } })
    const companies = body.leads.filter((each: { is_company: boolean }) => each.is_company)
    expect(companies).toHaveLength(2)
    expect(body.total).toBe(66)
  } finally {
    await second.close()
  }
})

describe('where a request waits for a lock for a limited time', () => {
  const limited = service({ lockTimeoutMs: 20_000 })

  test('a lead that waits for its id does not make the others wait as long', async () => {
    const own = await limited.workspace()
    const id = newId()
    const wanted = Array.from({ length: 9 }, (_none, at) => (at === 4 ? { id } : { score: at }))
    let answers: Promise<Answer>[] = []
    await limited.db.begin(async (tx) => {
      await run(tx)`insert into lead (id_space, id, created_at)
          values (${own.id_space}, ${id}, ${limited.clock.now})`
      answers = wanted.map((body) => own.post('/lead', body))
      const others = answers.filter((_answer, at) => at !== 4)
      expect(statusOf(await Promise.all(others))).toEqual(others.map(() => 200))
      await run(tx)`delete from lead where id_space = ${own.id_space} and id = ${id}`
    })
    expect(statusOf(await Promise.all(answers))).toEqual(wanted.map(() => 200))
    expect((await own.post('/leads/list', {})).body.total).toBe(9)
  })
})

describe('where a request waits for a lock only shortly', () => {
  const hasty = service({ lockTimeoutMs: 100 })

  test('a lead whose table stays locked gets 503', async () => {
    const own = await hasty.workspace()
    await own.get('/me')
    await hasty.db.begin(async (tx) => {
      await run(tx)`lock table lead in share row exclusive mode`
      expect((await own.post('/lead', { first_name: 'Ada' })).status).toBe(503)
      expect((await own.post('/leads/list', {})).body.total).toBe(0)
    })
    expect((await own.post('/lead', { first_name: 'Ada' })).status).toBe(200)
  })
})

test('a lead as a whole has at most 128 KiB: what is larger is refused, and changes nothing', async () => {
  const space = await app.workspace()
  const half = 'x'.repeat(70_000)
  const refused = {
    status: 400,
    body: { issues: [{ path: [], code: 'too_long', message: expect.stringContaining('128 KiB') }] },
  }
  expect(await space.post('/lead', { city: half, icebreaker: half })).toMatchObject(refused)
  const { body: lead } = await space.post('/lead', { city: half })
  // Also beside others in one group.
  const together = await Promise.all(
    [{ city: 'a' }, { city: half, icebreaker: half }, { city: 'b' }].map((body) =>
      space.post('/lead', body),
    ),
  )
  expect(together.map(({ status }) => status)).toEqual([200, 400, 200])
  expect(await space.patch(`/lead/${lead.id}`, { icebreaker: half })).toMatchObject(refused)
  const { body: before } = await space.get(`/lead/${lead.id}`)
  expect(before).toMatchObject({ city: half, icebreaker: null })
  // What replaces a value makes room.
  expect(await space.patch(`/lead/${lead.id}`, { city: 'x', icebreaker: half })).toMatchObject({
    status: 200,
  })
  const { body: all } = await space.post('/leads/list', {})
  expect(all.leads).toHaveLength(3)
})

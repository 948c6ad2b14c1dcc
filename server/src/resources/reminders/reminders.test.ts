import { beforeAll, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { insertLead } from '../../../test/insert-lead.ts'
import { rowValues, run } from '../../db/sql.ts'

const app = service()
let space: Workspace
let lead: string
beforeAll(async () => {
  space = await app.workspace()
  lead = await newLead(space)
})

const newLead = (by: Workspace, fields: object = {}) => insertLead(app, by, fields)

const deleteLead = (id: string) => run(app.db)`update lead set is_deleted = true where id = ${id}`
const create = async (body: object = {}, by = space) =>
  (await by.post('/reminders', { name: 'Call', date: '2026-05-01T08:00:00Z', ...body })).body
const paths = (body: { issues: { path: unknown[] }[] }) => body.issues.map(({ path }) => path)
const unknownId = '01920000-0000-7000-8000-0000000000ff'

async function inZone(time_zone: string): Promise<Workspace> {
  const own = await app.workspace()
  await run(app.db)`update space set time_zone = ${time_zone} where id_space = ${own.id_space}`
  return own
}

describe('POST /reminders', () => {
  test('returns the whole reminder, with the user of the key', async () => {
    const sent = { name: 'Send the offer', id_lead: lead, ressource_link: 'https://example.com/o' }
    const { status, body } = await space.post('/reminders', {
      ...sent,
      date: '2026-05-01T10:00:00.5+02:00',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      date: '2026-05-01T08:00:00.500Z',
      cron: '',
      cron_id: '',
      id_space: space.id_space,
      is_deleted: false,
      is_done: false,
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
      users: [space.owner],
    })
    expect((await space.get(`/reminders/${body.id}`)).body).toEqual(body)
  })

  test('takes a list of users: each counts once, and an empty list means none', async () => {
    const member = await app.member(space)
    const { users } = await create({ users: [member, space.owner.toUpperCase(), member] })
    expect(users).toEqual([member, space.owner].sort())
    expect((await create({ users: [] })).users).toEqual([])
  })

  test('the default user is the member of the key', async () => {
    const member = await app.member(space)
    const key = app.as(await app.key(space, 'write', member))
    const { body } = await key.post('/reminders', { name: 'a', date: '2026-05-01T08:00:00Z' })
    expect(body.users).toEqual([member])
  })

  test.each([
    ['UTC', '0 9 * * 1-5', '2026-03-03T09:00:00.000Z'],
    ['Europe/Paris', '30 10 * * *', '2026-03-02T09:30:00.000Z'],
    ['Europe/Paris', '0 10 * * *', '2026-03-03T09:00:00.000Z'],
    ['America/New_York', '0 9 * * MON', '2026-03-02T14:00:00.000Z'],
    ['Nowhere/Land', '0 10 * * *', '2026-03-02T10:00:00.000Z'],
  ])('in the time zone %s, the first occurrence of the cron %s is %s', async (zone, cron, date) => {
    expect(app.clock.now.toISOString()).toBe('2026-03-02T09:00:00.000Z')
    const { status, body } = await (await inZone(zone)).post('/reminders', { name: 'a', cron })
    expect(status).toBe(200)
    expect(body).toMatchObject({ cron, date, cron_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('a date sent with a cron is the first occurrence', async () => {
    const body = await create({ cron: ' 0 9 * * * ' })
    expect(body).toMatchObject({ cron: '0 9 * * *', date: '2026-05-01T08:00:00.000Z' })
  })

  test('null and "" mean no lead and no cron', async () => {
    expect(await create({ id_lead: '', cron: '' })).toMatchObject({
      id_lead: '',
      cron: '',
      cron_id: '',
    })
    expect(await create({ id_lead: null, cron: null })).toMatchObject({ id_lead: '', cron: '' })
  })

  test.each([
    '@daily',
    '* * * *',
    '0 0 9 * * *',
    '60 * * * *',
    '0 9 * * 8',
    'a b c d e',
    '2026-05-01T00:00:00',
    '0 0 30 2 *',
    'every day at nine o',
  ])('refuses the cron %s', async (cron) => {
    const answer = await space.post('/reminders', { name: 'a', cron })
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([expect.objectContaining({ path: ['cron'], code: 'cron' })])
  })

  test.each<[object, unknown[]]>([
    [{}, ['name']],
    [{ name: ' ', date: '2026-05-01T08:00:00Z' }, ['name']],
    [{ name: 'a' }, ['date']],
    [{ name: 'a', date: null, cron: '' }, ['date']],
    [{ name: 'a', date: '2026-05-01T08:00:00' }, ['date']],
    [{ name: 'a', date: '2026-05-01' }, ['date']],
    [{ name: 'a', date: 'tomorrow' }, ['date']],
    [{ name: 'a', date: '2026-02-30T08:00:00Z' }, ['date']],
    [{ name: 'a', date: '2026-12-31T23:59:60Z' }, ['date']],
    [{ name: 'a', date: '0000-01-01T00:00:00Z' }, ['date']],
    [{ name: 'a', date: 1_777_000_000 }, ['date']],
    [{ name: 'a', date: '2026-05-01T08:00:00Z', id_lead: unknownId }, ['id_lead']],
    [{ name: 'a', date: '2026-05-01T08:00:00Z', id_lead: 'x' }, ['id_lead']],
    [{ name: 'a', date: '2026-05-01T08:00:00Z', users: unknownId }, ['users']],
  ])('refuses %j', async (body, path) => {
    const answer = await space.post('/reminders', body)
    expect(answer.status).toBe(400)
    expect(paths(answer.body)).toEqual([path])
  })

  test('refuses users that are not members of the workspace, names each path, and writes nothing', async () => {
    const foreign = await app.workspace()
    const count = async () => (await run(app.db)`select id from reminder`).length
    const before = await count()
    const users = [space.owner, unknownId, 'x', foreign.owner]
    const answer = await space.post('/reminders', { name: 'a', cron: '0 9 * * *', users })
    expect(answer.status).toBe(400)
    expect(paths(answer.body)).toEqual([
      ['users', 1],
      ['users', 2],
      ['users', 3],
    ])
    expect(await count()).toBe(before)
  })

  test('refuses a lead that is deleted or of another workspace', async () => {
    const gone = await newLead(space)
    await deleteLead(gone)
    for (const id_lead of [gone, await newLead(await app.workspace())]) {
      expect(paths(await create({ id_lead }))).toEqual([['id_lead']])
    }
  })
})

describe('PATCH /reminders/{id}', () => {
  test('changes only what is sent', async () => {
    const before = await create({ id_lead: lead })
    const member = await app.member(space)
    app.clock.advance(1000)
    const updated_at = app.clock.now.toISOString()
    const patch = async (body: object) => (await space.patch(`/reminders/${before.id}`, body)).body
    expect(await patch({ is_done: true })).toEqual({ ...before, is_done: true, updated_at })
    expect(await patch({ is_done: false })).toEqual({ ...before, updated_at })
    const changed = { ...before, updated_at, name: 'Other', date: '2026-06-01T08:00:00.000Z' }
    const sent = { name: 'Other', date: '2026-06-01T08:00:00Z', users: [member], id_lead: '' }
    expect(await patch(sent)).toEqual({ ...changed, users: [member], id_lead: '' })
    expect(await patch({ id_lead: lead, users: [] })).toEqual({ ...changed, users: [] })
    expect(await patch({})).toEqual({ ...changed, users: [] })
  })

  test('a cron can be added, kept, changed and removed', async () => {
    const own = await inZone('Europe/Paris')
    const { id, date } = await create({}, own)
    const patch = async (body: object) => (await own.patch(`/reminders/${id}`, body)).body
    const first = await patch({ cron: '0 12 * * *' })
    expect(first).toMatchObject({ cron: '0 12 * * *', date: '2026-03-02T11:00:00.000Z' })
    expect(first.cron_id).toMatch(/^[0-9a-f-]{36}$/)
    // The same cron is not a change: a client that sends its whole form must not move the date.
    const moved = await patch({ date: '2026-03-05T00:00:00Z' })
    expect(moved.cron_id).toBe(first.cron_id)
    expect(await patch({ cron: '0 12 * * *' })).toMatchObject({
      date: moved.date,
      cron_id: first.cron_id,
    })
    const second = await patch({ cron: '0 13 * * *', date })
    expect(second).toMatchObject({ cron: '0 13 * * *', date })
    expect(second.cron_id).not.toBe(first.cron_id)
    expect(await patch({ cron: null })).toMatchObject({ cron: '', cron_id: '', date })
    await patch({ cron: '0 13 * * *' })
    expect(await patch({ cron: '' })).toMatchObject({ cron: '', cron_id: '' })
  })

  test.each<[object, unknown[]]>([
    [{ cron: '@hourly' }, ['cron']],
    [{ cron: 5 }, ['cron']],
    [{ date: null }, ['date']],
    [{ date: '2026-05-01T08:00:00' }, ['date']],
    [{ name: '' }, ['name']],
    [{ is_done: 'yes' }, ['is_done']],
    [{ id_lead: unknownId }, ['id_lead']],
    [{ users: [unknownId] }, ['users', 0]],
  ])('refuses %j and changes nothing', async (body, path) => {
    const before = await create()
    const answer = await space.patch(`/reminders/${before.id}`, { is_done: true, ...body })
    expect(answer.status).toBe(400)
    expect(paths(answer.body)).toEqual([path])
    expect((await space.get(`/reminders/${before.id}`)).body).toEqual(before)
  })
})

test('reminders that are deleted, unknown or of another workspace are not found', async () => {
  const gone = await newLead(space)
  const onGone = await create({ id_lead: gone })
  await deleteLead(gone)
  const foreign = await create({}, await app.workspace())
  for (const id of [unknownId, 'nonsense', onGone.id, foreign.id]) {
    expect((await space.get(`/reminders/${id}`)).status).toBe(404)
    expect((await space.patch(`/reminders/${id}`, { name: 'x' })).status).toBe(404)
    expect((await space.remove(`/reminders/${id}`)).status).toBe(404)
  }
})

test('DELETE /reminders/{id} marks the reminder as deleted', async () => {
  const { id } = await create()
  expect(await space.remove(`/reminders/${id}`)).toMatchObject({
    status: 200,
    body: 'Reminder deleted',
  })
  expect((await space.get(`/reminders/${id}`)).status).toBe(404)
  expect((await space.remove(`/reminders/${id}`)).status).toBe(404)
  const [row] = await run(app.db)`select is_deleted from reminder where id = ${id}`
  expect(row?.is_deleted).toBe(true)
})

describe('POST /reminders/list', () => {
  let own: Workspace
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    own = await app.workspace()
    const id_space = own.id_space
    const list = (await own.post('/lists', { name: 'L' })).body.id
    const status = (await own.post('/status', { name: 'S', id_list: list })).body.id
    const ada = await newLead(own, { first_name: 'Ada', score: 7 })
    const bob = await newLead(own, { first_name: 'Bob', score: 80 })
    const gone = await newLead(own, { first_name: 'Gone' })
    await run(app.db)`insert into lead_list ${rowValues([
      { id_space, id_lead: ada, id_list: list },
      { id_space, id_lead: gone, id_list: list },
    ])}`
    await run(
      app.db,
    )`insert into lead_status ${rowValues({ id_space, id_lead: ada, id_list: list, id_status: status })}`
    const member = await app.member(own)
    Object.assign(ids, { list, status, ada, bob, gone, member })
    for (const [name, date, body] of [
      ['Call Ada', '2026-05-03T00:00:00Z', { id_lead: ada }],
      ['Write to BOB 100%', '2026-05-01T00:00:00Z', { id_lead: bob, users: [member] }],
      ['Éclair_cake', '2026-05-04T00:00:00Z', { users: [member, own.owner] }],
      ['Call bob', '2026-05-02T00:00:00Z', { id_lead: bob, users: [] }],
      ['Never', '2026-05-02T00:00:00Z', { id_lead: gone }],
      ['Deleted', '2026-05-02T00:00:00Z', {}],
    ] as const) {
      app.clock.advance(1000)
      ids[name] = (await create({ name, date, ...body }, own)).id
    }
    await own.remove(`/reminders/${ids.Deleted}`)
    await own.patch(`/reminders/${ids['Call bob']}`, { is_done: true })
    await deleteLead(gone)
  })

  const names = async (body: object) =>
    (await own.post('/reminders/list', body)).body.data.map(({ name }: { name: string }) => name)
  const [ada, bob100, cake, callBob] = ['Call Ada', 'Write to BOB 100%', 'Éclair_cake', 'Call bob']

  test.each<[string, () => object, string[]]>([
    ['nothing', () => ({}), [bob100, callBob, ada, cake]],
    ['id_lead', () => ({ id_lead: ids.bob }), [bob100, callBob]],
    ['an unknown id_lead', () => ({ id_lead: unknownId }), []],
    ['an id_lead that is not an id', () => ({ id_lead: '' }), []],
    ['the id_lead of a deleted lead', () => ({ id_lead: ids.gone }), []],
    ['id_list', () => ({ id_list: ids.list }), [ada]],
    ['an unknown id_list', () => ({ id_list: 'x' }), []],
    ['id_status', () => ({ id_status: ids.status }), [ada]],
    ['an unknown id_status', () => ({ id_status: unknownId }), []],
    ['is_done true', () => ({ is_done: true }), [callBob]],
    ['is_done false', () => ({ is_done: false }), [bob100, ada, cake]],
    ['due_after, included', () => ({ due_after: '2026-05-03T00:00:00Z' }), [ada, cake]],
    ['due_before, not included', () => ({ due_before: '2026-05-03T00:00:00Z' }), [bob100, callBob]],
    [
      'due_after in another time zone',
      () => ({ due_after: '2026-05-03T02:00:00+02:00' }),
      [ada, cake],
    ],
    [
      'a day',
      () => ({ due_after: '2026-05-02T00:00:00Z', due_before: '2026-05-03T00:00:00Z' }),
      [callBob],
    ],
    [
      'an end before the start',
      () => ({ due_after: '2026-05-03T00:00:00Z', due_before: '2026-05-02T00:00:00Z' }),
      [],
    ],
    ['users', () => ({ users: [ids.member] }), [bob100, cake]],
    ['one of several users', () => ({ users: [own.owner, ids.member] }), [bob100, ada, cake]],
    ['unknown users', () => ({ users: ['x', unknownId] }), []],
    ['no users', () => ({ users: [] }), [bob100, callBob, ada, cake]],
    ['search', () => ({ search: 'bob' }), [bob100, callBob]],
    ['every word of search', () => ({ search: ' bob  CALL ' }), [callBob]],
    ['% as a plain character', () => ({ search: '0%' }), [bob100]],
    ['_ as a plain character', () => ({ search: '_' }), [cake]],
    ['letters beyond ASCII', () => ({ search: 'éCLAIR' }), [cake]],
    ['blank search', () => ({ search: ' ' }), [bob100, callBob, ada, cake]],
    ['leads_filter', () => ({ leads_filter: { search: 'ada' } }), [ada]],
    ['another leads_filter', () => ({ leads_filter: { score: ['50-'] } }), [bob100, callBob]],
    ['an empty leads_filter', () => ({ leads_filter: {} }), [bob100, callBob, ada]],
    ['leads_filter of no leads', () => ({ leads_filter: { leads: [] } }), []],
    [
      'several fields at once',
      () => ({ leads_filter: { leads: [ids.bob] }, is_done: false, search: 'to' }),
      [bob100],
    ],
  ])('filters and counts by %s', async (_name, filter, expected) => {
    expect(await names({ filter: filter() })).toEqual(expected)
    const { body } = await own.post('/reminders/count', { filter: filter() })
    expect(body).toEqual({ count: expected.length })
  })

  test('counts all without a filter, and refuses what no filter has', async () => {
    expect((await own.post('/reminders/count')).body).toEqual({ count: 4 })
    expect((await own.post('/reminders/count', { filter: { done: true } })).status).toBe(400)
  })

  test.each<[object, string[]]>([
    [{ field: 'created_at', type: 'desc' }, [callBob, cake, bob100, ada]],
    [{ field: 'date', type: 'desc' }, [cake, ada, callBob, bob100]],
    [{ field: 'is_done', type: 'desc' }, [callBob, ada, bob100, cake]],
    [{ field: 'cron', type: 'desc' }, [ada, bob100, cake, callBob]],
    [{ field: 'id_lead', type: 'asc' }, [ada, bob100, callBob, cake]],
    [{ field: 'id_lead', type: 'desc' }, [bob100, callBob, ada, cake]],
  ])('orders by %j, nulls last, ties by id', async (orderBy, expected) => {
    expect(await names({ orderBy })).toEqual(expected)
  })

  test('returns pages; a cursor takes precedence over the page', async () => {
    const page = async (body: object) => {
      const { data, pagination } = (await own.post('/reminders/list', body)).body
      return [data.map(({ name }: { name: string }) => name), pagination]
    }
    expect(await page({})).toEqual([[bob100, callBob, ada, cake], { page: 1, page_size: 50 }])
    const second = [[cake], { page: 2, page_size: 3 }]
    expect(await page({ pagination: { page: 2, page_size: 3 } })).toEqual(second)
    expect(await page({ cursor: 3, pagination: { page: 1, page_size: 3 } })).toEqual(second)
    expect(await page({ cursor: 2, pagination: { page_size: 1 } })).toEqual([
      [ada],
      { page: 3, page_size: 1 },
    ])
    expect(await page({ pagination: { page: 0, page_size: 1 } })).toEqual([
      [bob100],
      { page: 1, page_size: 1 },
    ])
    expect(await page({ cursor: 99 })).toEqual([[], { page: 2, page_size: 50 }])
  })

  test('returns whole reminders', async () => {
    const { data } = (await own.post('/reminders/list', { filter: { search: 'cake' } })).body
    expect(data).toEqual([(await own.get(`/reminders/${ids[cake as string]}`)).body])
    expect(data[0].users).toEqual([own.owner, ids.member].sort())
  })

  test.each<[object, unknown[]]>([
    [{ filter: { is_doen: true } }, ['filter', 'is_doen']],
    [{ filter: { leads_filter: { tag: [] } } }, ['filter', 'leads_filter', 'tag']],
    [{ filter: { leads_filter: { score: ['high'] } } }, ['filter', 'leads_filter', 'score', 0]],
    [{ filter: { is_done: 'true' } }, ['filter', 'is_done']],
    [{ filter: { due_before: '2026-05-03' } }, ['filter', 'due_before']],
    [{ filter: { due_after: '0000-01-01T00:00:00Z' } }, ['filter', 'due_after']],
    [{ orderBy: { field: 'secret' } }, ['orderBy', 'field']],
    [{ orderBy: { field: 'fired_at' } }, ['orderBy', 'field']],
    [{ orderBy: { field: 'date', type: 'up' } }, ['orderBy', 'type']],
    [{ orderBy: { type: 'asc' } }, ['orderBy', 'field']],
    [{ orderBy: [{ field: 'date', type: 'asc' }] }, ['orderBy']],
    [{ cursor: -1 }, ['cursor']],
    [{ pagination: { page_size: 1001 } }, ['pagination', 'page_size']],
  ])('refuses %j', async (body, path) => {
    const answer = await own.post('/reminders/list', body)
    expect(answer.status).toBe(400)
    expect(paths(answer.body)).toEqual([path])
  })

  test('shows nothing of another workspace', async () => {
    const filter = { id_lead: ids.bob }
    expect((await space.post('/reminders/list', { filter })).body.data).toEqual([])
  })
})

test('a reminder that moves to another lead is in the history of both', async () => {
  const own = await app.workspace()
  const [from, to] = [await newLead(own), await newLead(own)]
  const { id } = await create({ id_lead: from }, own)
  const member = await app.member(own)
  await own.patch(`/reminders/${id}`, { id_lead: to, users: [member] })
  await own.patch(`/reminders/${id}`, { name: 'Call' })
  await own.remove(`/reminders/${id}`)
  expect(await writtenEvents(app.db, own)).toMatchObject([
    { type: 'reminder.created', ids: [id], leads: [from], changed: { users: [null, [own.owner]] } },
    {
      ...{ type: 'reminder.updated', ids: [id], leads: [from, to] },
      changed: { id_lead: [from, to], users: [[own.owner], [member]] },
    },
    { type: 'reminder.deleted', ids: [id], leads: [to] },
  ])
})

test('a recurring reminder follows its workspace to another time zone', async () => {
  const own = await app.workspace()
  const daily = await create({ date: null, cron: '0 9 * * *' }, own)
  const later = await create({ date: '2999-05-01T11:11:00Z', cron: '0 9 * * *' }, own)
  const once = await create({ date: '2999-05-01T09:00:00Z' }, own)
  expect(daily.date).toMatch(/T09:00:00/)
  await own.patch('/workspace', { time_zone: 'Asia/Tokyo' })
  const dates = async () =>
    Promise.all(
      [daily, later, once].map(async ({ id }) => (await own.get(`/reminders/${id}`)).body.date),
    )
  // Tokyo has no summer time.
  expect(await dates()).toEqual([expect.stringMatching(/T00:00:00/), later.date, once.date])
  expect(Date.parse((await dates())[0])).toBeGreaterThan(app.clock.now.getTime())
  const told = await writtenEvents(app.db, own, 'reminder.updated')
  const changed = { date: [daily.date, (await dates())[0]] }
  expect(told).toMatchObject([{ ids: [daily.id], changed }])
  await own.patch('/workspace', { time_zone: 'UTC' })
  expect((await dates())[0]).toMatch(/T09:00:00/)
})

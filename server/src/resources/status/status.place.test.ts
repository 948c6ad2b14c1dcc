import { beforeAll, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { run } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { createRandom } from '../../random.ts'

const app = service()
const unknownId = '01920000-0000-7000-8000-0000000000ff'

/** A list with two statuses, and leads in the first one: the newest is the first. */
async function board(count: number) {
  const space = await app.workspace()
  const list: string = (await space.post('/lists', { name: 'Pipeline' })).body.id
  const status = async (name: string, id_list: string | null): Promise<string> =>
    (await space.post('/status', { name, id_list })).body.id
  const [open, won] = [await status('Open', list), await status('Won', list)]
  const leads: string[] = []
  for (let index = 0; index < count; index++) {
    app.clock.advance(1000)
    leads.unshift((await space.post('/lead', { first_name: `L${index}`, status: open })).body.id)
  }
  return { space, list, open, won, leads }
}

const place = (space: Workspace, status: string, id_lead: string, before?: string | null) =>
  space.post(`/status/${status}/place`, { id_lead, before })

async function column(space: Workspace, status: string, more: object = {}): Promise<string[]> {
  const { body } = await space.post('/leads/list', {
    filter: { status: [status] },
    orderBy: [{ field: 'place' }],
    id_only: true,
    ...more,
  })
  return body.leads.map(({ id }: { id: string }) => id)
}

async function pipeline(space: Workspace, status: string): Promise<string[]> {
  return column(space, status, { mode: 'pipeline', orderBy: [] })
}

/** The stored places as text, by lead. */
async function places({ id_space }: Workspace): Promise<Map<string, string>> {
  const rows = await run<{ id_lead: string; id_status: string; place: Buffer }[]>(
    app.db,
  )`select id_lead, id_status, place from lead_status where id_space = ${id_space}`
  return new Map(rows.map((row) => [row.id_lead, `${row.id_status} ${row.place.toString('hex')}`]))
}

describe('POST /status/{id}/place', () => {
  test('puts a lead before another one, or at the end; nothing else changes', async () => {
    const { space, open, leads } = await board(4)
    const [a, b, c, d] = leads as [string, string, string, string]
    expect(await column(space, open)).toEqual([a, b, c, d])
    const before = await places(space)
    expect((await place(space, open, d, b)).status).toBe(200)
    expect(await column(space, open)).toEqual([a, d, b, c])
    const after = await places(space)
    expect([...after].filter(([id, value]) => before.get(id) !== value)).toHaveLength(1)
    for (const end of [null, undefined, '']) {
      expect((await place(space, open, a, end)).status).toBe(200)
      expect(await column(space, open)).toEqual([d, b, c, a])
    }
    await place(space, open, a, d.toUpperCase())
    const events = await writtenEvents(app.db, space)
    // Where it is already: nothing happened.
    await place(space, open, b, b)
    await place(space, open, d, b)
    await place(space, open, c)
    expect(await column(space, open)).toEqual([a, d, b, c])
    expect(await writtenEvents(app.db, space)).toHaveLength(events.length)
  })

  test('returns the lead with its new status, and puts it into the list of the status', async () => {
    const { space, list, open, won, leads } = await board(2)
    const stranger: string = (await space.post('/lead', { first_name: 'S' })).body.id
    const answer = await place(space, open, stranger, leads[1])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual((await space.get(`/lead/${stranger}`)).body)
    expect(answer.body).toMatchObject({ lists: [{ id: list }], status: [{ id: open }] })
    expect(await column(space, open)).toEqual([leads[0], stranger, leads[1]])
    const moved = await place(space, won, stranger)
    expect(moved.body.status).toMatchObject([{ id: won, id_list: list }])
    expect(await column(space, won)).toEqual([stranger])
    expect(await column(space, open)).toEqual(leads)
  })

  test('a status without a list leaves the lists of the lead alone', async () => {
    const { space, open, leads } = await board(1)
    const global = (await space.post('/status', { name: 'Global' })).body.id
    const answer = await place(space, global, leads[0] as string)
    expect(answer.body.status.map(({ id }: { id: string }) => id).sort()).toEqual(
      [open, global].sort(),
    )
    expect(answer.body.lists).toHaveLength(1)
  })

  test('random moves end as the same moves on an array', async () => {
    const { space, open, won, leads } = await board(12)
    const random = createRandom(3)
    const columns: Record<string, string[]> = { [open]: [...leads], [won]: [] }
    for (let step = 0; step < 200; step++) {
      const lead = random.pick(leads)
      const status = random.pick([open, won])
      for (const id of [open, won]) columns[id] = (columns[id] ?? []).filter((one) => one !== lead)
      const cards = columns[status] as string[]
      const at = random.between(0, cards.length)
      expect((await place(space, status, lead, cards[at])).status).toBe(200)
      cards.splice(at, 0, lead)
    }
    for (const id of [open, won]) {
      expect(await column(space, id)).toEqual(columns[id])
      expect(await pipeline(space, id)).toEqual(columns[id])
    }
  })

  test('people who move cards at the same time all succeed, each card before the one they chose', async () => {
    const { space, open, leads } = await board(12)
    const [mark, ...others] = leads as [string, ...string[]]
    const moved = others.slice(0, 8)
    const answers = await Promise.all(moved.map((lead) => place(space, open, lead, mark)))
    expect(answers.map(({ status }) => status)).toEqual(moved.map(() => 200))
    const order = await column(space, open)
    expect(order.slice(0, 8).sort()).toEqual(moved.toSorted())
    expect(order.slice(8)).toEqual([mark, ...others.slice(8)])
  })

  test('moves to and fro between columns at the same time do not disturb each other', async () => {
    const { space, open, won, leads } = await board(6)
    const random = createRandom(5)
    const ten = () =>
      Array.from({ length: 10 }, () => [random.pick([open, won]), random.pick(leads)])
    const one = async (moves: string[][]) => {
      for (const [column = '', lead = ''] of moves) {
        expect((await place(space, column, lead)).status).toBe(200)
      }
    }
    // Each by itself one after the other: no request waits for a slot longer than it may, however slow the machine is.
    await Promise.all(Array.from({ length: 6 }, () => one(ten())))
    const found = [...(await column(space, open)), ...(await column(space, won))]
    expect(found.sort()).toEqual(leads.toSorted())
  })

  test('hundreds of moves into the same gap keep places short, and leave the other leads alone', async () => {
    const { space, open, leads } = await board(5)
    const [first, a, b, mark, last] = leads as [string, string, string, string, string]
    const before = await places(space)
    for (let step = 0; step < 130; step++) {
      await place(space, open, a, mark)
      await place(space, open, b, mark)
    }
    expect(await column(space, open)).toEqual([first, a, b, mark, last])
    for (let step = 0; step < 60; step++) await place(space, open, step % 2 ? a : b, last)
    expect(await column(space, open)).toEqual([first, mark, b, a, last])
    const after = await places(space)
    for (const id of [first, mark, last]) expect(after.get(id)).toBe(before.get(id))
    for (const value of after.values()) expect(value.split(' ')[1]?.length).toBeLessThanOrEqual(96)
  })

  test('there is room between leads of the same time, and beside the smallest and the largest id', async () => {
    const { space, open } = await board(0)
    const ids = [
      '00000000-0000-0000-0000-000000000000',
      '00000000-0000-0000-0000-000000000001',
      'ffffffff-ffff-ffff-ffff-fffffffffffe',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]
    for (const id of ids) await space.post('/lead', { id, status: open })
    expect(await column(space, open)).toEqual(ids)
    let order = ids
    for (const before of ids) {
      const id = newId()
      await space.post('/lead', { id })
      expect((await place(space, open, id, before)).status).toBe(200)
      order = order.flatMap((one) => (one === before ? [id, one] : [one]))
    }
    expect(await column(space, open)).toEqual(order)
  })

  test('deleted leads keep no place from others', async () => {
    const { space, open, leads } = await board(4)
    const [a, b, c, d] = leads as [string, string, string, string]
    await space.remove(`/lead/${b}`)
    await place(space, open, d, c)
    expect(await column(space, open)).toEqual([a, d, c])
    expect((await place(space, open, b)).body.issues).toMatchObject([{ path: ['id_lead'] }])
  })

  test('refuses what does not exist, and changes nothing', async () => {
    const { space, open, won, leads } = await board(2)
    const [a, b] = leads as [string, string]
    const elsewhere: string = (await space.post('/lead', { status: won })).body.id
    const gone: string = (await space.post('/lead', { status: open })).body.id
    await space.remove(`/lead/${gone}`)
    const before = await places(space)
    for (const id of [unknownId, 'nonsense']) {
      expect((await place(space, id, a)).status).toBe(404)
    }
    const faults: [object, string, string][] = [
      [{}, 'id_lead', 'required'],
      [{ id_lead: null }, 'id_lead', 'type'],
      [{ id_lead: unknownId }, 'id_lead', 'unknown_record'],
      [{ id_lead: 'x' }, 'id_lead', 'unknown_record'],
      [{ id_lead: gone }, 'id_lead', 'unknown_record'],
      [{ id_lead: a, before: unknownId }, 'before', 'unknown_record'],
      [{ id_lead: a, before: 'x' }, 'before', 'unknown_record'],
      [{ id_lead: a, before: elsewhere }, 'before', 'unknown_record'],
      [{ id_lead: a, before: gone }, 'before', 'unknown_record'],
      [{ id_lead: elsewhere, before: elsewhere }, 'before', 'unknown_record'],
      [{ id_lead: b, before: 7 }, 'before', 'type'],
    ]
    for (const [body, field, code] of faults) {
      const answer = await space.post(`/status/${open}/place`, body)
      expect(answer.status).toBe(400)
      expect(answer.body.issues).toMatchObject([{ path: [field], code }])
    }
    expect(await places(space)).toEqual(before)
    const reader = app.as(await app.key(space, 'read'))
    expect((await reader.post(`/status/${open}/place`, { id_lead: a })).status).toBe(403)
  })
})

describe('leads that enter a status in another way', () => {
  test('come newest first; one that stays in its status keeps its place', async () => {
    const { space, open, won, leads } = await board(3)
    const [a, b, c] = leads as [string, string, string]
    await place(space, open, c, a)
    await space.patch(`/lead/${c}`, { status: [open] })
    await space.patch('/leads/update-many', { data: { status_connect: [open] }, filter: {} })
    expect(await column(space, open)).toEqual([c, a, b])
    await space.patch('/leads/update-many', {
      data: { status_connect: [won] },
      filter: { leads: [c, b] },
    })
    expect(await column(space, won)).toEqual([b, c])
    await space.patch(`/lead/${c}`, { status: [open] })
    expect(await column(space, open)).toEqual([a, c])
    app.clock.advance(1000)
    const newest = (await space.post('/lead', { status: open })).body.id
    expect(await column(space, open)).toEqual([newest, a, c])
  })

  test('also by an import', async () => {
    const { space, open, leads } = await board(2)
    const rows = [
      `{"id":"${leads[1]}","first_name":"Known"}`,
      '{"id":"01920000-0000-7000-8000-0000000000e1","status":"Open","created_at":"2020-01-01T00:00:00Z"}',
      '{"id":"01920000-0000-7000-8000-0000000000e2","status":"Open","created_at":"2040-01-01T00:00:00Z"}',
    ]
    await place(space, open, leads[1] as string, leads[0])
    const answer = await space.call(
      'POST',
      '/leads/import?upsert_by=id',
      rows.join('\n'),
      'application/x-ndjson',
    )
    expect(answer).toMatchObject({ status: 200, body: { created: 2, updated: 1 } })
    expect(await column(space, open)).toEqual([
      '01920000-0000-7000-8000-0000000000e2',
      leads[1],
      leads[0],
      '01920000-0000-7000-8000-0000000000e1',
    ])
  })
})

describe('leads_order', () => {
  test('sets the places of a status; the next move of one lead ends it', async () => {
    const { space, open, leads } = await board(5)
    const [a, b, c, d, e] = leads as [string, string, string, string, string]
    const arrange = (leads_order: unknown) =>
      space.patch('/status', { status: [{ id: open, leads_order }] })
    const stored = async () =>
      (await space.get('/status')).body.find(({ id }: { id: string }) => id === open).leads_order
    await place(space, open, e, a)
    await arrange([d, 7, b, 'x', d, unknownId])
    for (const order of [column, pipeline])
      expect(await order(space, open)).toEqual([d, b, a, c, e])
    expect(await stored()).toEqual([d, 7, b, 'x', d, unknownId])
    await place(space, open, b, e)
    for (const order of [column, pipeline])
      expect(await order(space, open)).toEqual([d, a, c, b, e])
    expect(await stored()).toBe(null)
    await arrange([c])
    for (const order of [column, pipeline])
      expect(await order(space, open)).toEqual([c, a, b, d, e])
    await arrange(null)
    for (const order of [column, pipeline]) expect(await order(space, open)).toEqual(leads)
  })

  test('of one status does not touch another one', async () => {
    const { space, open, won, leads } = await board(4)
    const [a, b, c, d] = leads as [string, string, string, string]
    await place(space, won, a)
    await place(space, won, b)
    await space.patch('/status', { status: [{ id: open, leads_order: [d, c, b] }] })
    await space.patch('/status', { status: [{ id: won, name: 'Gained' }] })
    expect(await column(space, won)).toEqual([a, b])
    expect(await column(space, open)).toEqual([d, c])
  })
})

describe('POST /leads/list by place', () => {
  let fixture: Awaited<ReturnType<typeof board>>
  beforeAll(async () => {
    fixture = await board(7)
  })

  test('returns pages, both ways, and everything', async () => {
    const { space, open, leads } = fixture
    const page = (cursor: number, type = 'asc') =>
      column(space, open, {
        cursor,
        pagination: { page_size: 3 },
        orderBy: [{ field: 'place', type }],
      })
    expect(await page(0)).toEqual(leads.slice(0, 3))
    expect(await page(6)).toEqual(leads.slice(6))
    expect(await page(0, 'desc')).toEqual(leads.toReversed().slice(0, 3))
    expect(await column(space, open, { pagination: { all: true } })).toEqual(leads)
    const { body } = await space.post('/leads/list', {
      filter: { status: [open.toUpperCase()], search: 'L3' },
      orderBy: [{ field: 'place' }],
    })
    expect(body).toMatchObject({ total: 1, leads: [{ first_name: 'L3', status: [{ id: open }] }] })
    expect(await column(space, unknownId)).toEqual([])
  })

  test.each<[string, object]>([
    ['no filter', {}],
    ['no status', { filter: { status: [] } }],
    ['two statuses', { filter: { status: [unknownId, unknownId] } }],
    ['a status that is no id', { filter: { status: ['x'] } }],
    ['another field too', { orderBy: [{ field: 'place' }, { field: 'city' }] }],
  ])('refuses %s', async (_name, body) => {
    const { space } = fixture
    const answer = await space.post('/leads/list', { orderBy: [{ field: 'place' }], ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toMatchObject([{ path: ['orderBy', 0, 'field'] }])
  })
})

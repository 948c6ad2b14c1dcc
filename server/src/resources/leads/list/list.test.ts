// POST /leads/list: pages, cursors, orders, shapes, and the stream of all leads.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectExactCounts, recount } from '../../../../test/counts.ts'
import { service, type Workspace } from '../../../../test/harness.ts'
import { makeSearchable } from '../../../../test/insert-lead.ts'
import { run } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))
let space: Workspace
const created: string[] = []
beforeAll(async () => {
  space = await app.workspace()
  for (let i = 0; i < 25; i++) {
    app.clock.advance(1000)
    const body = { first_name: `Lead ${i}`, city: ['b', 'A', null, 'c', 'Ä'][i % 5], phone: i }
    created.push((await space.post('/lead', body)).body.id)
  }
})

const list = async (body?: object, at = space) => (await at.post('/leads/list', body)).body
const ids = (answer: { leads: { id: string }[] }) => answer.leads.map(({ id }) => id)
const newestFirst = () => created.toReversed()

describe('far pages', () => {
  let own: Workspace
  const leads = 21_000
  beforeAll(async () => {
    own = await app.workspace()
    await run(app.db)`
      insert into lead (id_space, id, first_name, is_company, created_at)
      select ${own.id_space}, gen_random_uuid(), case when n % 3 > 0 then 'Name ' || n % 100 end,
        n % 2 = 0, ${app.clock.now}::timestamptz + n / 7 * interval '1 second'
      from generate_series(1, ${leads}::int) as n`
    await run(app.db)`analyze lead`
    await recount(app.db)
  })

  test.each([
    ['newest first', []],
    ['by a field that may be null', [{ field: 'first_name', type: 'asc' }]],
    [
      'by the same field, descending',
      [{ field: 'first_name', type: 'desc' }, { field: 'created_at' }],
    ],
  ])(
    '%s: a cursor returns the same leads as the whole list at that place',
    async (_name, orderBy) => {
      const all = ids(await list({ orderBy, id_only: true, pagination: { all: true } }, own))
      expect(new Set(all).size).toBe(leads)
      for (const cursor of [
        9_990, 10_000, 10_490, 10_500, 15_000, 20_970, 20_990, 21_000, 30_000,
      ]) {
        const answer = await list({ orderBy, cursor, id_only: true }, own)
        expect(ids(answer)).toEqual(all.slice(cursor, cursor + 50))
        expect(answer.total).toBe(leads)
        expect(answer.pagination.next_cursor).toBe(cursor + 50 < leads ? cursor + 50 : null)
      }
    },
  )

  test('a cursor works with a filter too', async () => {
    const filter = { is_company: true }
    const all = ids(await list({ filter, id_only: true, pagination: { all: true } }, own))
    const answer = await list({ filter, cursor: 10_480, id_only: true }, own)
    expect(ids(answer)).toEqual(all.slice(10_480))
    expect(answer.total).toBe(10_500)
    expect(await list({ filter, cursor: 10_500 }, own)).toMatchObject({ leads: [], total: 10_500 })
  })
})

describe('newest first, few or many, new or old leads', () => {
  const day = '2026-03-02'
  const nextDay = '2026-03-03'
  let own: Workspace
  let code: string
  beforeAll(async () => {
    own = await app.workspace()
    code = (await own.post('/attributes', { name: 'Code', type: 'TEXT' })).body.id
    await run(app.db)`
      insert into lead (
        id_space, id, first_name, last_name, score, created_at, is_deleted, attributes)
      select ${own.id_space}, gen_random_uuid(), case when n % 5 = 0 then 'Fifth' else 'Other' end,
        case when n <= 150 then 'Eldest' when n <= 12000 then 'Elder' when n = 20999 then 'Youngest'
          when n > 20990 then 'Latest' end,
        case when n <= 9000 then 1 else 2 end,
        ${`${day}T00:00:00Z`}::timestamptz + n / 7 * interval '1 minute', n % 10 = 0,
        case when n < 12000 then jsonb_build_object(${code}::text, 'Code ' || n % 3 * (n % 500))
          else '{}'::jsonb end
      from generate_series(1, 21000) as n`
    await makeSearchable(app.db, own.id_space)
    // As a large import does.
    await run(app.db)`analyze`
    await recount(app.db)
  })

  const equals = (value: string) => ({ attributes: [{ id: code, operator: 'equals', value }] })
  test.each<[string, () => object, number]>([
    ['few old leads', () => ({ search: 'eldest' }), 135],
    ['many old leads', () => ({ search: 'elder' }), 10_665],
    ['few new leads', () => ({ search: 'latest' }), 8],
    ['one new lead', () => ({ search: 'youngest' }), 1],
    ['many of all ages', () => ({ search: 'fifth' }), 2100],
    ['two words', () => ({ search: 'eldest fifth' }), 15],
    ['no lead', () => ({ search: 'nobody' }), 0],
    ['few old leads by an attribute', () => equals('Code 998'), 8],
    ['many old leads by an attribute', () => equals('Code 0'), 3600],
    ['old leads by a field', () => ({ score: ['1'] }), 8100],
    ['before a day', () => ({ created_before: nextDay }), 9072],
    ['from a day on, with a word', () => ({ created_after: nextDay, search: 'fifth' }), 1092],
    ['between days', () => ({ created_after: day, created_before: nextDay, score: ['2'] }), 972],
  ])('%s', async (_name, filterOf, total) => {
    const filter = filterOf()
    const all = ids(await list({ filter, id_only: true, pagination: { all: true } }, own))
    expect(all).toHaveLength(total)
    for (const cursor of [0, 40, 100, 5000, 10_640]) {
      const answer = await list({ filter, cursor, id_only: true }, own)
      expect(ids(answer)).toEqual(all.slice(cursor, cursor + 50))
      expect(answer.total).toBe(all.length)
    }
  })
})

describe('total', () => {
  test('counts the leads of a tag, list, status or owner, without deleted leads', async () => {
    const own = await app.workspace()
    const tag = (await own.post('/tags', { name: 'Warm' })).body.id
    const { id: list_ } = (await own.post('/lists', { name: 'Fair' })).body
    const { id: status } = (await own.post('/status', { name: 'New', id_list: list_ })).body
    const made: string[] = []
    for (let n = 0; n < 5; n++) {
      made.push((await own.post('/lead', { tags: [tag], status: [status] })).body.id)
    }
    const filters = [
      { tags: [tag] },
      { lists: [list_.toUpperCase()] },
      { status: [status] },
      { owners: [own.owner] },
      { tags: [tag], lists: [] },
      { tags: [tag, tag] },
      {},
    ]
    const totals = () =>
      Promise.all(
        filters.map(async (filter) => {
          // The page is full, so the total must be counted.
          const { total } = await list({ filter, pagination: { page_size: 1 } }, own)
          expect((await list({ filter }, own)).total).toBe(total)
          return total
        }),
      )
    expect(await totals()).toEqual(filters.map(() => 5))
    await own.remove(`/lead/${made[0]}`)
    await own.post('/leads/delete', { filter: { leads: [made[1]] } })
    expect(await totals()).toEqual(filters.map(() => 3))
    await own.patch(`/lead/${made[2]}`, { tags: [] })
    expect((await list({ filter: { tags: [tag] }, pagination: { page_size: 1 } }, own)).total).toBe(
      2,
    )
  })
})

describe('pages', () => {
  test('without a body: the newest 50 leads with their relations', async () => {
    const { status, body } = await space.post('/leads/list')
    expect(status).toBe(200)
    expect(ids(body)).toEqual(newestFirst())
    expect(body.total).toBe(25)
    expect(body.pagination).toEqual({ page: 1, page_size: 50, next_cursor: null })
    expect(body.leads[0]).toMatchObject({
      id: created[24],
      first_name: 'Lead 24',
      created_at: app.clock.now.toISOString(),
      lists: [],
      status: [],
      tags: [],
      owners: [{ id: space.owner, name: 'Member owner', email: expect.any(String) }],
      attributes: {},
    })
  })

  test('page by page; 0 and 1 are the first page', async () => {
    const page = (page: number) => list({ pagination: { page, page_size: 10 } })
    expect(ids(await page(0))).toEqual(newestFirst().slice(0, 10))
    expect(await page(1)).toMatchObject({
      total: 25,
      pagination: { page: 1, page_size: 10, next_cursor: 10 },
    })
    const last = await page(3)
    expect(ids(last)).toEqual(newestFirst().slice(20))
    expect(last.pagination).toEqual({ page: 3, page_size: 10, next_cursor: null })
    expect(await page(4)).toMatchObject({ leads: [], total: 25 })
  })

  test('cursor by cursor to the end; the page is ignored', async () => {
    const seen: string[] = []
    let cursor: number | null = 0
    while (cursor !== null) {
      const answer: Awaited<ReturnType<typeof list>> = await list({
        cursor,
        pagination: { page: 9, page_size: 7 },
      })
      seen.push(...ids(answer))
      cursor = answer.pagination.next_cursor
    }
    expect(seen).toEqual(newestFirst())
  })

  test.each([
    [{ cursor: -1 }, ['cursor']],
    [{ cursor: 'x' }, ['cursor']],
    [{ cursor: 1.5 }, ['cursor']],
    [{ cursor: 1e300 }, ['cursor']],
    [{ pagination: { page: 1e300 } }, ['pagination', 'page']],
    [{ pagination: { page_size: 0 } }, ['pagination', 'page_size']],
    [{ pagination: { page_size: 1001 } }, ['pagination', 'page_size']],
    [{ pagination: { page: -1 } }, ['pagination', 'page']],
    [{ pagination: { all: 'yes' } }, ['pagination', 'all']],
    [{ orderBy: { field: 'created_at' } }, ['orderBy']],
    [{ orderBy: [{ field: 'nothing' }] }, ['orderBy', 0, 'field']],
    [{ orderBy: [{ field: 'search_text' }] }, ['orderBy', 0, 'field']],
    [{ orderBy: [{ field: 'id; drop table lead' }] }, ['orderBy', 0, 'field']],
    [{ orderBy: [{ field: 'city', type: 'up' }] }, ['orderBy', 0, 'type']],
    [{ mode: 'tree' }, ['mode']],
    [{ filter: { tag: [] } }, ['filter', 'tag']],
    [{ filter: { score: ['many'] } }, ['filter', 'score', 0]],
  ])('refuses %j', async (body, path) => {
    const answer = await space.post('/leads/list', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(path)
  })

  test('a page or cursor beyond the last lead is not an error', async () => {
    expect((await list({ cursor: null })).leads).toHaveLength(25)
    const last = Number.MAX_SAFE_INTEGER
    expect(await list({ cursor: last })).toMatchObject({ leads: [], total: 25 })
    expect(await list({ pagination: { page: last, page_size: 1000 } })).toMatchObject({ leads: [] })
    expect(await list({ cursor: 2 ** 40 })).toMatchObject({ leads: [], total: 25 })
    expect(await list({ pagination: { page: 2 ** 45, page_size: 1000 } })).toMatchObject({
      leads: [],
    })
  })
})

describe('orders beyond fields', () => {
  let own: Workspace
  const names = async (orderBy: object[], filter: object = {}) => {
    const body = { orderBy, filter, pagination: { page_size: 100 } }
    const { status, body: page } = await own.post('/leads/list', body)
    expect(status, JSON.stringify(page)).toBe(200)
    return page.leads.map((lead: { first_name: string }) => lead.first_name).join(' ')
  }
  const attributes: Record<string, string> = {}
  const options: Record<string, string> = {}
  let list: string

  beforeAll(async () => {
    own = await app.workspace()
    list = (await own.post('/lists', { name: 'Fair' })).body.id
    const stage = async (name: string, order: number, more = {}) =>
      (await own.post('/status', { name, order, ...more })).body.id
    const [won, open] = [await stage('Won', 2), await stage('Open', 1)]
    const first = await stage('First', 0, { id_list: list })
    for (const type of ['TEXT', 'NUMBER', 'DATE', 'CHECKBOX', 'SELECT', 'LOCATION', 'RELATION']) {
      const more = type === 'SELECT' && { select_options: [{ name: 'Low' }, { name: 'High' }] }
      const { body } = await own.post('/attributes', { name: type, type, ...more })
      attributes[type] = body.id
      for (const { name, id } of body.select_options ?? []) options[name] = id
    }
    const {
      TEXT = '',
      NUMBER = '',
      DATE = '',
      CHECKBOX = '',
      SELECT = '',
      LOCATION = '',
    } = attributes
    const zoe = await app.member(own)
    const values = (text: string, number: number, day: string, isOn: boolean, option: string) => ({
      ...{ [TEXT]: text, [NUMBER]: number, [DATE]: day, [CHECKBOX]: isOn },
      ...{ [SELECT]: options[option], [LOCATION]: text },
    })
    const none = { auto_assign_owner: false }
    const make = async (first_name: string, more: object) => {
      const { status, body } = await own.post('/lead', { first_name, ...none, ...more })
      expect(status, JSON.stringify(body)).toBe(200)
      app.clock.advance(1000)
    }
    await make('Ada', {
      status: [won],
      owners: [zoe],
      attributes: values('beta', 9, '2026-02-01', true, 'High'),
    })
    await make('Bob', {
      status: [open, first],
      owners: [own.owner],
      attributes: values('Alpha', 10, '2026-01-31', false, 'Low'),
    })
    await make('Cleo', {
      status: [open],
      owners: [zoe, own.owner],
      attributes: values('Gamma', -1, '2025-12-31', true, 'Low'),
    })
    await make('Dan', {})
    await run(
      app.db,
    )`update member set name = 'zoe' where id_space = ${own.id_space} and id = ${zoe}`
    await run(
      app.db,
    )`update member set name = 'Abel' where id_space = ${own.id_space} and id = ${own.owner}`
  })

  test.each([
    ['TEXT', 'asc', 'Bob Ada Cleo Dan'],
    ['TEXT', 'desc', 'Cleo Ada Bob Dan'],
    ['LOCATION', 'asc', 'Bob Ada Cleo Dan'],
    ['NUMBER', 'asc', 'Cleo Ada Bob Dan'],
    ['NUMBER', 'desc', 'Bob Ada Cleo Dan'],
    ['DATE', 'asc', 'Cleo Bob Ada Dan'],
  ])('an attribute of type %s, %s', async (type, direction, expected) => {
    expect(await names([{ field: attributes[type], type: direction }])).toBe(expected)
  })

  test('several levels: an option or a checkbox, then a field', async () => {
    const byName = { field: 'first_name', type: 'desc' }
    expect(await names([{ field: attributes.SELECT }, byName])).toBe('Cleo Bob Ada Dan')
    expect(await names([{ field: attributes.CHECKBOX, type: 'desc' }, byName])).toBe(
      'Cleo Ada Dan Bob',
    )
  })

  test('status, in the order of the pipeline', async () => {
    const byName = { field: 'first_name', type: 'desc' }
    expect(await names([{ field: 'status' }, byName])).toBe('Bob Cleo Ada Dan')
    expect(await names([{ field: 'status', type: 'desc' }, byName])).toBe('Ada Cleo Bob Dan')
    expect(await names([{ field: 'status' }], { lists: [list] })).toBe('Bob')
  })

  test('the name of the first owner, beside a status', async () => {
    expect(await names([{ field: 'owners' }, { field: 'first_name' }])).toBe('Bob Cleo Ada Dan')
    expect(await names([{ field: 'owners', type: 'desc' }, { field: 'status' }])).toBe(
      'Ada Bob Cleo Dan',
    )
  })

  test.each([
    ['status', 'asc'],
    ['status', 'desc'],
    ['owners', 'asc'],
    ['owners', 'desc'],
  ])('by %s, %s: pages of any size have the order of all leads', async (field, type) => {
    const notCleo = { fields: [{ field: 'first_name', operator: 'is_not', value: 'Cleo' }] }
    const first = { field, type }
    const within = ['first_name', 'owners', 'status', 'created_at', 'score']
    const orders = [[first], ...within.map((name) => [first, { field: name }])]
    const asked = [
      ...orders.map((orderBy) => ({ orderBy, filter: {}, total: 4 })),
      ...[{ orderBy: [first], filter: notCleo, total: 3 }],
      ...[{ orderBy: [first], filter: { has_owner: true }, total: 3 }],
    ]
    for (const { total, ...wanted } of asked) {
      const names = async (pagination: object) => {
        const { body } = await own.post('/leads/list', { ...wanted, pagination })
        expect(body.total).toBe(total)
        return body.leads.map((lead: { first_name: string }) => lead.first_name)
      }
      const all = await names({ all: true })
      for (const page_size of [1, 2, 3]) {
        const pages = Array.from({ length: Math.ceil(total / page_size) }, (_, at) => at + 1)
        const each = await Promise.all(pages.map((page) => names({ page, page_size })))
        expect(each.flat(), JSON.stringify({ wanted, page_size })).toEqual(all)
      }
    }
  })

  test('all leads, pages and exports have the same order', async () => {
    const orderBy = [{ field: 'owners', type: 'desc' }, { field: attributes.NUMBER }]
    const expected = ['Ada', 'Cleo', 'Bob', 'Dan']
    const all = await own.post('/leads/list', { orderBy, pagination: { all: true } })
    expect(all.body.leads.map((lead: { first_name: string }) => lead.first_name)).toEqual(expected)
    const page = { page: 2, page_size: 2 }
    const second = await own.post('/leads/list', { orderBy, pagination: page })
    expect(second.body).toMatchObject({
      leads: [{ first_name: 'Bob' }, { first_name: 'Dan' }],
      total: 4,
    })
    const { body } = await own.post('/leads/export', {
      orderBy,
      format: 'csv',
      columns: ['first_name'],
    })
    expect(body.trim().split('\r\n').slice(1)).toEqual(expected)
    expect((await own.post('/views', { name: 'Mine', orderBy })).body.orderBy).toEqual([
      { field: 'owners', type: 'desc' },
      { field: attributes.NUMBER },
    ])
  })

  test('an unknown attribute, and one without an order, are refused', async () => {
    const field = '01920000-0000-7000-8000-0000000000ff'
    const faults = async (name: string | undefined, path: string) =>
      (await own.post(path, { name: 'Mine', format: 'csv', orderBy: [{ field: name }] })).body
        .issues
    for (const path of ['/leads/list', '/views', '/leads/export']) {
      expect(await faults(field, path)).toMatchObject([
        { path: ['orderBy', 0, 'field'], code: 'unknown_record' },
      ])
      expect(await faults(attributes.RELATION, path)).toEqual([
        {
          ...{ path: ['orderBy', 0, 'field'], code: 'order' },
          message: 'Attributes of type RELATION have no order',
        },
      ])
      expect(await faults('tags', path)).toMatchObject([{ code: 'unknown_field' }])
    }
  })
})

describe('orders', () => {
  test('sorts text as people expect, nulls last in both directions, ties by id', async () => {
    const cities = async (type: string) =>
      (await list({ orderBy: [{ field: 'city', type }] })).leads.map(
        (l: { city: string }) => l.city,
      )
    const groups = (names: (string | null)[]) => names.flatMap((name) => Array(5).fill(name))
    expect(await cities('asc')).toEqual(groups(['A', 'Ä', 'b', 'c', null]))
    expect(await cities('desc')).toEqual(groups(['c', 'b', 'Ä', 'A', null]))
    const tied = await list({ orderBy: [{ field: 'is_company' }] })
    expect(ids(tied)).toEqual(created.toSorted())
  })

  test('sorts by several fields', async () => {
    const answer = await list({
      orderBy: [
        { field: 'city', type: 'asc' },
        { field: 'created_at', type: 'asc' },
      ],
    })
    const inCity = created.filter((_id, i) => i % 5 === 1)
    expect(ids(answer).slice(0, 5)).toEqual(inCity)
  })

  test.each(['order', 'usersId', 'contract_value', 'is_tracked', 'last_interaction_at', 'id'])(
    'by %s',
    async (field) => {
      expect((await list({ orderBy: [{ field, type: 'desc' }] })).leads).toHaveLength(25)
    },
  )
})

test('include false leaves the relations out, id_only everything else', async () => {
  const plain = (await list({ include: false, pagination: { page_size: 1 } })).leads[0]
  expect(plain).toHaveProperty('first_name')
  for (const name of ['lists', 'status', 'tags', 'owners', 'attributes']) {
    expect(plain).not.toHaveProperty(name)
  }
  expect((await list({ id_only: true, pagination: { page_size: 2 } })).leads).toEqual([
    { id: created[24] },
    { id: created[23] },
  ])
})

test('mode pipeline sorts by status, then by its leads_order, then the newest first', async () => {
  const own = await app.workspace()
  const pipeline = (await own.post('/lists', { name: 'P' })).body
  const won = (await own.post('/status', { name: 'Won', id_list: pipeline.id, order: 2 })).body
  const open = (await own.post('/status', { name: 'Open', id_list: pipeline.id, order: 1 })).body
  const global = (await own.post('/status', { name: 'Global', order: 0 })).body
  const lead = async (status: string[]) => {
    app.clock.advance(1000)
    return (await own.post('/lead', { status })).body.id
  }
  const a = await lead([won.id])
  const b = await lead([open.id])
  const c = await lead([open.id, global.id])
  const d = await lead([open.id])
  const e = await lead([])
  const f = await lead([open.id])
  await own.patch('/status', { status: [{ id: open.id, leads_order: [d, 7, b, 'x', d] }] })
  const inPipeline = { mode: 'pipeline', filter: { lists: [pipeline.id] } }
  expect(ids(await list(inPipeline, own))).toEqual([d, b, f, c, a])
  expect(ids(await list({ mode: 'pipeline' }, own))).toEqual([c, d, b, f, a, e])
  const all = { ...inPipeline, pagination: { all: true } }
  expect(ids(await list(all, own))).toEqual([d, b, f, c, a])
})

describe('all: true', () => {
  test('streams every lead in the order and shape asked for', async () => {
    const answer = await list({ pagination: { all: true }, cursor: 3 })
    expect(ids(answer)).toEqual(newestFirst())
    expect(answer).toMatchObject({ total: 25, pagination: { all: true } })
    expect(answer.leads[0].owners).toHaveLength(1)
    const page = await list({})
    expect(answer.leads).toEqual(page.leads)
    const byPhone = { orderBy: [{ field: 'created_at', type: 'asc' }], pagination: { all: true } }
    expect(ids(await list(byPhone))).toEqual(created)
    expect((await list({ id_only: true, pagination: { all: true } })).leads[0]).toEqual({
      id: created[24],
    })
    expect(await list({ filter: { leads: [] }, pagination: { all: true } })).toEqual({
      leads: [],
      pagination: { all: true },
      total: 0,
    })
  })

  test('streams several batches, and stops when the client disconnects', async () => {
    const own = await app.workspace()
    await run(app.db)`
      insert into lead (id_space, id, first_name, created_at)
      select ${own.id_space}, gen_random_uuid(), repeat('x', 500), ${app.clock.now}::timestamptz
      from generate_series(1, 20000)`
    await run(app.db)`analyze lead`
    await recount(app.db)
    const answer = await list({ include: false, pagination: { all: true } }, own)
    expect(answer.total).toBe(20000)
    expect(new Set(ids(answer)).size).toBe(20000)

    const before = app.statements
    await readAndDisconnect(own)
    await untilIdle()
    // The whole list takes 80 statements. Those in progress when the client disconnects are finished.
    expect(app.statements - before).toBeLessThan(10)
    expect((await list({ pagination: { page_size: 1 } }, own)).total).toBe(20000)
  })

  /** Waits until the database has no statement of the service, twice in a row. */
  async function untilIdle(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      const [row] = await run<[{ busy: number }]>(app.db)`
        select count(*)::int as busy from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
      idle = row.busy === 0 ? idle + 1 : 0
    }
  }

  function readAndDisconnect(own: Workspace): Promise<void> {
    const { hostname, port } = new URL(app.url)
    return new Promise((resolve, reject) => {
      const call = request(
        {
          hostname,
          port,
          path: '/rest/leads/list',
          method: 'POST',
          headers: { 'X-API-KEY': own.key, 'Content-Type': 'application/json' },
        },
        (response) => {
          response.once('data', () => {
            response.destroy()
            resolve()
          })
        },
      )
      call.on('error', reject)
      call.end(JSON.stringify({ pagination: { all: true } }))
    })
  }
})

test.each([{ is_company: true }, { has_no_list: true }, { tags: [newId()] }, { search: 'x' }])(
  'a page far behind the end is empty: %j',
  async (filter) => {
    const { status, body } = await space.post('/leads/list', {
      filter,
      cursor: Number.MAX_SAFE_INTEGER,
    })
    expect([status, body.leads]).toEqual([200, []])
  },
)

test('a page by a field is full in a small workspace, too', async () => {
  const own = await app.workspace()
  for (let score = 0; score < 12; score++) await own.post('/lead', { contract_value: score })
  const orderBy = [{ field: 'contract_value', type: 'desc' }]
  const { body } = await own.post('/leads/list', { orderBy, pagination: { page_size: 10 } })
  expect(body.total).toBe(12)
  const values = body.leads.map(({ contract_value }: { contract_value: number }) => contract_value)
  expect(values).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})

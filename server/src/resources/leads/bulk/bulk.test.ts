// Bulk operations: routes that change many leads at once.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { expectExactCounts, recount } from '../../../../test/counts.ts'
import { service, type Workspace } from '../../../../test/harness.ts'
import { run } from '../../../db/sql.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))
let space: Workspace
let a: string
let b: string
let c: string
beforeEach(async () => {
  space = await app.workspace()
  a = await lead({ first_name: 'A' })
  b = await lead({ first_name: 'B' })
  c = await lead({ first_name: 'C' })
})

const unknownId = '01920000-0000-7000-8000-0000000000ff'
const make = async (path: string, body: object): Promise<string> =>
  (await space.post(path, body)).body.id
const lead = (body: object) => make('/lead', body)
const get = async (id: string) => (await space.get(`/lead/${id}`)).body
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const related = async (id: string, relation: string) => ids((await get(id))[relation])
const update = (data: object, filter: object = {}) =>
  space.patch('/leads/update-many', { data, filter })

async function insert300Leads(): Promise<void> {
  await run(app.db)`insert into lead (id_space, id, created_at)
      select ${space.id_space}, gen_random_uuid(), ${app.clock.now}::timestamptz
      from generate_series(1, 300)`
  await recount(app.db)
}

describe('PATCH /leads/update-many', () => {
  test('sets plain fields of the selected leads only', async () => {
    app.clock.advance(1000)
    const data = {
      city: 'Paris',
      phone: '12',
      contract_value: '7',
      contract_currency: 'EUR',
      email_bounce_score: 80,
      is_company: true,
      id_linkedin: 'li',
      custom_fields: ['any', { thing: null }],
    }
    const answer = await update(data, { leads: [a, b] })
    expect(answer).toMatchObject({ status: 200, body: '2 leads updated' })
    const { custom_fields: _, ...plain } = data
    const changed = { ...plain, contract_value: 7, updated_at: app.clock.now.toISOString() }
    expect(await get(a)).toMatchObject(changed)
    expect(await get(b)).toMatchObject(changed)
    expect(await get(c)).toMatchObject({ city: null, is_company: false })
    await update({ city: null }, { leads: [a] })
    expect((await get(a)).city).toBeNull()
    expect((await get(b)).city).toBe('Paris')
  })

  test('the filter {} selects all leads, leads: [] selects none', async () => {
    expect((await update({ city: 'X' }, { leads: [] })).body).toBe('0 leads updated')
    expect((await get(a)).city).toBeNull()
    expect((await update({ city: 'X' }, {})).body).toBe('3 leads updated')
    expect((await update({}, {})).body).toBe('3 leads updated')
    expect((await update({ city: 'Y' }, { leads: [a] })).body).toBe('1 lead updated')
  })

  test('replaces, then connects, then disconnects', async () => {
    const [t1, t2, t3, t4] = await Promise.all(
      ['1', '2', '3', '4'].map((name) => make('/tags', { name })),
    )
    await update({ tags: [t1, t2] }, { leads: [a] })
    expect((await related(a, 'tags')).sort()).toEqual([t1, t2].sort())
    await update({ tags: [t2, t3], tags_connect: [t4], tags_disconnect: [t3, t1] })
    for (const id of [a, b, c]) expect((await related(id, 'tags')).sort()).toEqual([t2, t4].sort())
    await update({ tags_connect: [], tags_disconnect: [] })
    expect(await related(a, 'tags')).toHaveLength(2)
    await update({ tags: [] }, { leads: [a] })
    expect(await related(a, 'tags')).toEqual([])
    expect(await related(b, 'tags')).toHaveLength(2)
  })

  test('replaces, connects and disconnects owners', async () => {
    const member = await app.member(space)
    await update({ owners_connect: [member], owners_disconnect: [space.owner] }, { leads: [a] })
    expect(await related(a, 'owners')).toEqual([member])
    await update({ owners: [] })
    expect(await related(b, 'owners')).toEqual([])
  })

  test('a status puts the lead into its list, and replaces another status of that list', async () => {
    const list = await make('/lists', { name: 'P' })
    const open = await make('/status', { name: 'open', id_list: list })
    const won = await make('/status', { name: 'won', id_list: list })
    const plain = await make('/status', { name: 'plain' })
    const other = await make('/status', { name: 'other' })

    await update({ status_connect: [open, plain] })
    expect(await related(a, 'lists')).toEqual([list])
    expect((await related(a, 'status')).sort()).toEqual([open, plain].sort())

    // If several statuses of one list are given, the last one counts.
    await update({ status_connect: [open, won] }, { leads: [a] })
    expect((await related(a, 'status')).sort()).toEqual([plain, won].sort())
    expect((await related(b, 'status')).sort()).toEqual([open, plain].sort())

    await update({ status: [other] }, { leads: [a] })
    expect(await related(a, 'status')).toEqual([other])
    expect(await related(a, 'lists')).toEqual([list])

    await update({ status_disconnect: [open, other] })
    expect(await related(a, 'status')).toEqual([])
    expect(await related(b, 'status')).toEqual([plain])

    // Leaving a list drops its statuses, even when the same change sets another list.
    await update({ status: [won] })
    const elsewhere = await make('/lists', { name: 'Q' })
    await update({ lists: [elsewhere] }, { leads: [a] })
    expect([await related(a, 'lists'), await related(a, 'status')]).toEqual([[elsewhere], []])
    await update({ lists: [], status: [won] }, { leads: [a] })
    expect([await related(a, 'lists'), await related(a, 'status')]).toEqual([[list], [won]])
    await update({ lists_connect: [elsewhere] }, { leads: [a] })
    expect((await related(a, 'lists')).sort()).toEqual([list, elsewhere].sort())
    await update({ id_list: elsewhere }, { leads: [b] })
    expect((await related(b, 'lists')).sort()).toEqual([list, elsewhere].sort())
  })

  test('attributes merge', async () => {
    const text = await make('/attributes', { type: 'TEXT', name: 'T' })
    const number = await make('/attributes', { type: 'NUMBER', name: 'N' })
    await update({ attributes: { [text]: 'x', [number]: 1 } })
    await update({ attributes: { [number]: null } }, { leads: [a] })
    expect((await get(a)).attributes).toEqual({ [text]: 'x' })
    expect((await get(b)).attributes).toEqual({ [text]: 'x', [number]: 1 })
  })

  test('a filter may name a relation that the change removes', async () => {
    const tag = await make('/tags', { name: 'T' })
    await update({ tags: [tag] }, { leads: [a, b] })
    const answer = await update({ tags_disconnect: [tag], city: 'Done' }, { tags: [tag] })
    expect(answer.body).toBe('2 leads updated')
    expect(await get(a)).toMatchObject({ tags: [], city: 'Done' })
  })

  test.each([
    [{ data: { city: 'X' } }, ['filter']],
    [{ filter: {} }, ['data']],
    [{ data: { city: 'X' }, filter: { citty: 'Paris' } }, ['filter', 'citty']],
    [{ data: { city: 'X' }, filter: { leads: 'all' } }, ['filter', 'leads']],
    [{ data: { city: 'X', tags_connect: [unknownId] }, filter: {} }, ['data', 'tags_connect', 0]],
    [{ data: { city: 'X', lists: ['nonsense'] }, filter: {} }, ['data', 'lists', 0]],
    [{ data: { city: 'X', status: [unknownId] }, filter: {} }, ['data', 'status', 0]],
    [
      { data: { city: 'X', owners_disconnect: [unknownId] }, filter: {} },
      ['data', 'owners_disconnect', 0],
    ],
    [{ data: { city: 'X', campaigns: [unknownId] }, filter: {} }, ['data', 'campaigns', 0]],
    [{ data: { city: 'X', id_list: unknownId }, filter: {} }, ['data', 'id_list']],
    [
      { data: { city: 'X', attributes: { [unknownId]: 1 } }, filter: {} },
      ['data', 'attributes', unknownId],
    ],
    [{ data: { city: 'X', contract_value: '1.5' }, filter: {} }, ['data', 'contract_value']],
    [{ data: { city: 7 }, filter: {} }, ['data', 'city']],
  ])('refuses %j and changes nothing', async (body, path) => {
    const answer = await space.patch('/leads/update-many', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(path)
    for (const id of [a, b, c]) expect((await get(id)).city).toBeNull()
  })
})

test('POST /leads/track-leads', async () => {
  const track = async (body: object) => (await space.post('/leads/track-leads', body)).body
  expect(await track({ filter: { leads: [a, b] } })).toBe('2 leads tracked')
  expect(await track({ remove_tracking: true, filter: { leads: [b] } })).toBe(
    '1 lead no longer tracked',
  )
  expect([(await get(a)).is_tracked, (await get(b)).is_tracked, (await get(c)).is_tracked]).toEqual(
    [true, false, null],
  )
  expect((await space.post('/leads/track-leads', {})).body.issues[0].path).toEqual(['filter'])
})

test('POST /leads/delete', async () => {
  const answer = await space.post('/leads/delete', { filter: { leads: [a, b] } })
  expect(answer.body).toBe('2 leads deleted')
  expect(await space.post('/leads/delete', { filter: { leads: [a] } })).toMatchObject({
    body: '0 leads deleted',
  })
  expect((await space.post('/leads/list')).body).toMatchObject({ total: 1, leads: [{ id: c }] })
  expect((await space.post('/leads/delete', {})).status).toBe(400)
})

describe('lists', () => {
  let source: string
  let target: string
  beforeEach(async () => {
    source = await make('/lists', { name: 'Source' })
    target = await make('/lists', { name: 'Target' })
  })
  const add = async (id_list: string, filter: object = {}) =>
    space.post('/leads/add-list', { id_list, filter })

  test('POST /leads/add-list', async () => {
    expect((await add(source, { leads: [a, b] })).body).toBe('2 leads added')
    expect((await add(source, {})).body).toBe('1 lead added')
    expect(await related(c, 'lists')).toEqual([source])
    const unknown = await add(unknownId)
    expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, ['id_list']])
    const body = { id_list: source }
    expect((await space.post('/leads/add-list', body)).body.issues[0].path).toEqual(['filter'])
  })

  test('POST /lists/{id}/move-leads moves the leads that are in the source list', async () => {
    const status = await make('/status', { name: 'S', id_list: source })
    await add(source, { leads: [a, b] })
    await update({ status: [status] }, { leads: [a] })
    const move = (body: object, id = target) => space.post(`/lists/${id}/move-leads`, body)
    expect((await move({ id_source: source, filter: { leads: [a, c] } })).body).toBe('1 lead moved')
    expect([await related(a, 'lists'), await related(a, 'status')]).toEqual([[target], []])
    expect(await related(b, 'lists')).toEqual([source])
    expect(await related(c, 'lists')).toEqual([])

    expect((await move({ id_source: source, filter: {} }, source)).body).toBe('0 leads moved')
    expect(await related(b, 'lists')).toEqual([source])
    expect((await move({ id_source: source, filter: {} }, unknownId)).status).toBe(404)
    const unknown = await move({ id_source: unknownId, filter: {} })
    expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, ['id_source']])
    expect((await move({})).body.issues.map((i: { path: unknown }) => i.path)).toEqual([
      ['id_source'],
      ['filter'],
    ])
  })

  test('POST /lists/{id}/remove-leads', async () => {
    await add(source)
    const remove = (filter: object, id = source) =>
      space.post(`/lists/${id}/remove-leads`, { filter })
    expect((await remove({ leads: [a, unknownId] })).body).toBe('1 lead removed')
    expect(await related(a, 'lists')).toEqual([])
    expect(await related(b, 'lists')).toEqual([source])
    expect((await remove({}, unknownId)).status).toBe(404)
    expect((await space.post(`/lists/${source}/remove-leads`)).status).toBe(400)
  })

  test('deleting a list removes its leads from it, and its statuses from the leads', async () => {
    const status = await make('/status', { name: 'S', id_list: source })
    await update({ status: [status] })
    await space.remove(`/lists/${source}`)
    expect([await related(a, 'lists'), await related(a, 'status')]).toEqual([[], []])
    const { body } = await space.post('/leads/list', { filter: { has_no_list: true } })
    expect(body.total).toBe(3)
    expect((await add(source)).status).toBe(400)
  })

  test('concurrent moves in opposite directions lose no lead and do not fail', async () => {
    await insert300Leads()
    await add(source, {})
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        space.post(`/lists/${target}/move-leads`, { id_source: source, filter: {} }),
        space.post(`/lists/${source}/move-leads`, { id_source: target, filter: {} }),
        update({ city: `City ${round}` }),
        space.post(`/lists/${target}/move-leads`, { id_source: source, filter: {} }),
        space.post('/leads/track-leads', { filter: {} }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const [row] = await run<[{ leads: number; memberships: number }]>(app.db)`
        select count(distinct id_lead)::int as leads, count(*)::int as memberships
        from lead_list where id_space = ${space.id_space}`
      expect(row).toEqual({ leads: 303, memberships: 303 })
    }
  })
})

test('concurrent moves of the same lead put it into one list', async () => {
  const [from, one, two] = await Promise.all(
    ['From', 'One', 'Two'].map((name) => make('/lists', { name })),
  )
  for (let round = 0; round < 5; round++) {
    await update({ lists: [from] })
    const move = (id: string) =>
      space.post(`/lists/${id}/move-leads`, { id_source: from, filter: {} })
    const answers = await Promise.all([one, two, one, two].map((id) => move(id as string)))
    const moved = answers.map(({ body }) => Number.parseInt(body, 10))
    expect(moved.reduce((sum, count) => sum + count)).toBe(3)
    for (const id of [a, b, c]) expect(await related(id, 'lists')).toHaveLength(1)
  }
})

test('a lead that one change removes from a filter’s selection is not selected by a concurrent one', async () => {
  const tag = await make('/tags', { name: 'Once' })
  for (let round = 0; round < 5; round++) {
    await update({ tags: [tag] }, { leads: [a] })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => update({ tags_disconnect: [tag] }, { tags: [tag] })),
    )
    const bodies = answers.map(({ body }) => body).toSorted()
    expect(bodies).toEqual([...Array(3).fill('0 leads updated'), '1 lead updated'])
  }
})

describe('no request fails with 5xx when a record is deleted while leads are connected to it', () => {
  beforeEach(async () => {
    await insert300Leads()
  })
  const expectNoFailure = (answers: { status: number }[]) =>
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])

  test('a status', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await make('/status', { name: 'S' })
      await update({ status: [id] })
      expectNoFailure(
        await Promise.all([
          update({ status_connect: [id] }),
          space.remove(`/status/${id}`),
          update({ status_connect: [id] }),
        ]),
      )
    }
  })

  test('a tag', async () => {
    for (let round = 0; round < 5; round++) {
      const [x, y] = await Promise.all(['X', 'Y'].map((name) => make('/tags', { name })))
      await update({ tags: [x] })
      expectNoFailure(
        await Promise.all([
          update({ tags: [y], tags_connect: [x] }),
          space.remove(`/tags/${x}`),
          update({ tags: [y], tags_connect: [x] }),
        ]),
      )
    }
  })

  test('an option and an attribute', async () => {
    const list = await make('/lists', { name: 'L' })
    for (let round = 0; round < 3; round++) {
      const options = ['a', 'b', 'c'].map((name) => ({ name }))
      const { body } = await space.post('/attributes', {
        type: 'SELECT',
        name: `Choice ${round}`,
        select_options: options,
      })
      const [first, second, third] = body.select_options
      await space.patch(`/lists/${list}`, { attribute_definitions_order: [body.id] })
      await update({ attributes: { [body.id]: first.id } })
      const set = (id: string) => update({ attributes: { [body.id]: id } })
      expectNoFailure(
        await Promise.all([
          set(second.id),
          space.patch(`/attributes/${body.id}`, { select_options: [second, third] }),
          set(third.id),
          space.patch(`/attributes/${body.id}`, { select_options: [third] }),
          update({ city: 'X' }),
        ]),
      )
      expectNoFailure(
        await Promise.all([
          space.post('/lead', { lists: [list], attributes: { [body.id]: third.id } }),
          space.remove(`/attributes/${body.id}`),
          space.post('/lead', { lists: [list], attributes: { [body.id]: third.id } }),
        ]),
      )
    }
  })
})

test.each([
  ['PATCH', '/leads/update-many', { data: { tags_connect: Array(5_000).fill('x') }, filter: {} }],
  ['POST', '/lead', { tags: Array(5_000).fill('x') }],
  ['PATCH', '/status', { status: Array(5_000).fill({ id: 'x' }) }],
  ['POST', '/leads/list', { filter: { tags: Array(5_000).fill(1) } }],
])('the response to a body with 5,000 faults lists 100: %s %s', async (method, path, body) => {
  const answer = await space.call(method, path, body)
  expect(answer.status).toBe(400)
  expect(answer.body.issues).toHaveLength(100)
})

test.each([
  ['PATCH', '/leads/update-many', { data: { tags_connect: Array(5_001).fill('x') }, filter: {} }],
  ['POST', '/lead', { tags: Array(5_001).fill('x') }],
  ['PATCH', '/status', { status: Array(5_001).fill({ id: 'x' }) }],
  ['POST', '/leads/list', { orderBy: Array(101).fill({ field: 'x' }) }],
])('an array with too many entries is refused: %s %s', async (method, path, body) => {
  const answer = await space.call(method, path, body)
  expect(answer.body.issues).toEqual([expect.objectContaining({ code: 'maxItems' })])
})

test('concurrent changes of status leave one status in each list', async () => {
  const list = await make('/lists', { name: 'P' })
  const statuses = await Promise.all(
    [1, 2, 3, 4].map((n) => make('/status', { name: `${n}`, id_list: list })),
  )
  const answers = await Promise.all(
    statuses.flatMap((id) => [update({ status: [id] }), update({ status_connect: [id] })]),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  for (const id of [a, b, c]) expect(await related(id, 'status')).toHaveLength(1)
})

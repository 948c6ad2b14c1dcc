import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { deleteMember } from '../../access/access.sql.ts'

const app = service()
const unknownId = '01920000-0000-7000-8000-0000000000ff'

type Caller = Omit<Workspace, 'id_space' | 'owner'>
let space: Workspace
/** A colleague with a key that may write, and another one. */
let ada: Caller & { id: string }
let bob: Caller & { id: string }

async function colleague(): Promise<Caller & { id: string }> {
  const id = await app.member(space)
  return { id, ...app.as(await app.key(space, 'write', id)) }
}

beforeAll(async () => {
  space = await app.workspace()
  ada = await colleague()
  bob = await colleague()
})

const names = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/views')).body.map(({ name }: { name: string }) => name)

async function create(body: object, caller: Caller = ada) {
  const answer = await caller.post('/views', body)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('POST /views', () => {
  test('returns the whole view', async () => {
    const list = (await space.post('/lists', { name: 'L' })).body.id
    const attribute = (await space.post('/attributes', { type: 'NUMBER', name: 'Seats' })).body.id
    const sent = {
      name: 'Large ones',
      filter: {
        lists: [list],
        tags: [],
        attributes: [{ id: attribute, operator: 'greater_than', value: '10' }],
      },
      orderBy: [{ field: 'company', type: 'desc' }, { field: 'city' }],
      columns: [
        { field: 'name', width: 240 },
        { field: 'first_name' },
        { field: 'company', width: 200, pinned: true },
        { field: 'tags' },
        { field: attribute },
      ],
      mode: 'board',
      id_list: list,
      shared: true,
    }
    const body = await create(sent)
    expect(body).toEqual({
      ...sent,
      favorite: false,
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      order: expect.any(Number),
      id_member: ada.id,
      id_space: space.id_space,
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
    })
    const listed = (await bob.get('/views')).body
    expect(listed.find(({ id }: { id: string }) => id === body.id)).toEqual(body)
  })

  test('needs only a name: a private grid of everything, after the other views', async () => {
    const last = (await create({ name: 'Last' })).order
    expect(
      await create({ name: 'Plain', id: unknownId, id_member: bob.id, extra: 1 }),
    ).toMatchObject({
      ...{ name: 'Plain', filter: {}, orderBy: [], columns: [], mode: 'grid', id_list: '' },
      ...{ shared: false, id_member: ada.id, order: last + 1 },
    })
    expect((await create({ name: 'None', id_list: null })).id_list).toBe('')
  })

  test.each<[object, unknown[], string]>([
    [{}, ['name'], 'required'],
    [{ name: ' ' }, ['name'], 'pattern'],
    [{ name: 'a', filter: { tag: [] } }, ['filter', 'tag'], 'unknown_field'],
    [{ name: 'a', filter: { score: ['high'] } }, ['filter', 'score', 0], 'range'],
    [
      { name: 'a', filter: { attributes: [{ id: unknownId, operator: 'is_empty' }] } },
      ['filter', 'attributes', 0, 'id'],
      'unknown_record',
    ],
    [{ name: 'a', filter: null }, ['filter'], 'type'],
    [{ name: 'a', filter: { leads: ['x'.repeat(100_000)] } }, ['filter'], 'maxLength'],
    [{ name: 'a', orderBy: [{ field: 'secret' }] }, ['orderBy', 0, 'field'], 'unknown_field'],
    [{ name: 'a', orderBy: [{ field: 'place' }] }, ['orderBy', 0, 'field'], 'unknown_field'],
    [{ name: 'a', orderBy: [{ field: 'city', type: 'up' }] }, ['orderBy', 0, 'type'], 'enum'],
    [{ name: 'a', orderBy: [{ field: 'name' }] }, ['orderBy', 0, 'field'], 'unknown_field'],
    [{ name: 'a', columns: [{ field: 'toString' }] }, ['columns', 0, 'field'], 'unknown_field'],
    [{ name: 'a', columns: [{ field: unknownId }] }, ['columns', 0, 'field'], 'unknown_record'],
    [{ name: 'a', columns: [{ width: 50 }] }, ['columns', 0, 'field'], 'required'],
    [{ name: 'a', columns: [{ field: 'city', width: 1.5 }] }, ['columns', 0, 'width'], 'type'],
    [
      { name: 'a', columns: [{ field: 'city' }, { field: 'city' }] },
      ['columns', 1, 'field'],
      'duplicate',
    ],
    [{ name: 'a', mode: 'map' }, ['mode'], 'enum'],
    [{ name: 'a', shared: 'yes' }, ['shared'], 'type'],
    [{ name: 'a', id_list: unknownId }, ['id_list'], 'unknown_record'],
  ])('refuses %j', async (body, path, code) => {
    const before = await names(ada)
    const answer = await ada.post('/views', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0]).toMatchObject({ path, code })
    expect(await names(ada)).toEqual(before)
  })
})

describe('who sees and changes a view', () => {
  let mine: { id: string }
  let ours: { id: string }
  let admin: Caller
  beforeEach(async () => {
    mine = await create({ name: 'Private of Ada' })
    ours = await create({ name: 'Shared by Ada', shared: true })
    admin = app.as(await app.key(space, 'admin'))
  })

  test('a private one only its owner', async () => {
    for (const caller of [bob, admin]) {
      expect(await names(caller)).not.toContain('Private of Ada')
      expect((await caller.patch(`/views/${mine.id}`, { name: 'x' })).status).toBe(404)
      expect((await caller.remove(`/views/${mine.id}`)).status).toBe(404)
    }
    expect(await names(ada)).toContain('Private of Ada')
    expect(await ada.remove(`/views/${mine.id}`)).toMatchObject({
      status: 200,
      body: 'View deleted',
    })
    expect((await ada.remove(`/views/${mine.id}`)).status).toBe(404)
  })

  test('a shared one is seen by all, and changed by its owner or an admin', async () => {
    expect(await names(bob)).toContain('Shared by Ada')
    const refused = { code: 'FORBIDDEN', message: 'Insufficient access', issues: [] }
    for (const answer of [
      await bob.patch(`/views/${ours.id}`, { name: 'x' }),
      await bob.remove(`/views/${ours.id}`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: refused })
    }
    app.clock.advance(1000)
    const changed = await admin.patch(`/views/${ours.id}`, { name: 'By admin', order: -1 })
    expect(changed.body).toEqual({
      ...ours,
      ...{ name: 'By admin', order: -1, updated_at: app.clock.now.toISOString() },
    })
    expect((await names(bob))[0]).toBe('By admin')
    expect((await ada.patch(`/views/${ours.id}`, { shared: false })).status).toBe(200)
    expect(await names(bob)).not.toContain('By admin')
    expect((await admin.remove(`/views/${ours.id}`)).status).toBe(404)
    expect((await ada.patch(`/views/${ours.id}`, { shared: true })).status).toBe(200)
    expect((await admin.remove(`/views/${ours.id}`)).status).toBe(200)
  })

  test('the feed says nothing of the time when a view was private', async () => {
    const { next } = (await bob.get('/events?after=now')).body
    const filter = (search: string) => ({ search: `${search}@private.example` })
    const { id } = await create({ name: 'Secret one', filter: filter('one') })
    const change = async (body: object) =>
      expect((await ada.patch(`/views/${id}`, body)).status).toBe(200)
    await change({ name: 'Secret two', filter: filter('two') })
    await change({ name: 'Open', filter: {}, shared: true })
    await change({ name: 'Secret three', filter: filter('three'), shared: false })
    await change({ name: 'Secret four' })
    await change({ name: 'Open again', filter: {}, shared: true })
    await change({ name: 'Still open' })
    type Told = { type: string; ids: string[]; changed: Record<string, unknown> }
    const told: Told[] = []
    for (let after = next; told.length < 7; ) {
      const page = (await bob.get(`/events?after=${after}&wait=10`)).body
      told.push(...page.events.filter(({ ids }: Told) => ids.includes(id)))
      after = page.next
    }
    expect(JSON.stringify(told)).not.toMatch(/Secret|private\.example/)
    expect(told.map(({ type, changed }) => [type, changed.name])).toEqual([
      ['view.created', undefined],
      ['view.updated', undefined],
      ['view.updated', [null, 'Open']],
      ['view.updated', undefined],
      ['view.updated', undefined],
      ['view.updated', [null, 'Open again']],
      ['view.updated', ['Open again', 'Still open']],
    ])
    const audit = (await admin.get('/audit?limit=1000')).body
    expect(JSON.stringify(audit)).not.toMatch(/Secret|private\.example/)
  })

  test('a key that may only read sees them and changes nothing', async () => {
    const reader = app.as(await app.key(space, 'read', ada.id))
    expect(await names(reader)).toContain('Private of Ada')
    expect((await reader.post('/views', { name: 'x' })).status).toBe(403)
    expect((await reader.patch(`/views/${mine.id}`, { name: 'x' })).status).toBe(403)
    expect((await reader.remove(`/views/${mine.id}`)).status).toBe(403)
  })

  test('when the owner leaves, private views go and shared ones belong to the next admin who changes them', async () => {
    const leaver = await colleague()
    await create({ name: 'Gone' }, leaver)
    const { id } = await create({ name: 'Kept', shared: true }, leaver)
    await app.db.begin((tx) => deleteMember(tx, { id_space: space.id_space, id: leaver.id }))
    const kept = (await bob.get('/views')).body.find((view: { id: string }) => view.id === id)
    expect(kept).toMatchObject({ name: 'Kept', id_member: '' })
    expect((await bob.patch(`/views/${id}`, { name: 'x' })).status).toBe(403)
    const taken = await admin.patch(`/views/${id}`, { shared: false })
    expect(taken.body).toMatchObject({ name: 'Kept', shared: false, id_member: space.owner })
    expect(await names(admin)).toContain('Kept')
  })
})

test('PATCH /views/{id} changes only what is sent, and nothing when something is wrong', async () => {
  const view = await create({
    name: 'V',
    filter: { is_company: true },
    orderBy: [{ field: 'city' }],
  })
  const columns = [{ field: 'owners' }, { field: 'email', width: 80 }]
  const { body } = await ada.patch(`/views/${view.id}`, { columns, mode: 'board' })
  expect(body).toEqual({ ...view, columns, mode: 'board', updated_at: body.updated_at })
  expect((await ada.patch(`/views/${view.id}`, {})).body).toEqual(body)
  for (const wrong of [{ filter: { x: 1 } }, { columns: [{ field: 'x' }] }, { id_list: 'x' }]) {
    expect((await ada.patch(`/views/${view.id}`, { name: 'Other', ...wrong })).status).toBe(400)
  }
  expect(await names(ada)).toContain('V')
  for (const id of [unknownId, 'nonsense']) {
    expect((await ada.patch(`/views/${id}`, { name: 'x' })).status).toBe(404)
  }
})

test('what a view names may vanish: it is still listed, renamed and deleted', async () => {
  const list = (await space.post('/lists', { name: 'L' })).body.id
  const attribute = (await space.post('/attributes', { type: 'TEXT', name: 'A' })).body.id
  const filter = {
    lists: [list],
    attributes: [{ id: attribute, operator: 'equals', value: 'x' }],
  }
  const columns = [{ field: attribute }]
  const { id } = await create({
    ...{ name: 'Stale', filter, mode: 'board', id_list: list },
    columns: [{ field: attribute.toUpperCase() }],
  })
  await space.remove(`/lists/${list}`)
  await space.remove(`/attributes/${attribute}`)
  const found = (await ada.get('/views')).body.find((view: { id: string }) => view.id === id)
  expect(found).toMatchObject({ filter, columns, id_list: '' })
  expect((await ada.patch(`/views/${id}`, { name: 'Renamed' })).body).toMatchObject({
    filter,
    columns,
  })
  expect((await ada.patch(`/views/${id}`, { filter })).status).toBe(400)
  expect((await ada.remove(`/views/${id}`)).status).toBe(200)
})

import { beforeAll, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

test('POST /lists returns the whole list', async () => {
  const sent = { name: 'Trade fair', emoji: '🎪', description: 'Met at the stand' }
  const { status, body } = await space.post('/lists', sent)
  expect(status).toBe(200)
  expect(body).toEqual({
    ...sent,
    id: expect.any(String),
    schema: '',
    id_space: space.id_space,
    order: 0,
    created_at: app.clock.now.toISOString(),
    updated_at: app.clock.now.toISOString(),
    deleted_at: null,
    can_be_delete: true,
    is_deleted: false,
    favorite: false,
    attribute_definitions_order: [],
  })
})

test('POST /lists requires only a name', async () => {
  expect((await space.post('/lists')).body.issues).toEqual([
    { path: ['name'], code: 'required', message: 'Required' },
  ])
  expect((await space.post('/lists', { name: 'Bare' })).body).toMatchObject({
    emoji: '',
    description: '',
  })
})

test('GET /lists returns the lists in order, PATCH changes the order', async () => {
  const own = await app.workspace()
  const first = (await own.post('/lists', { name: 'first' })).body
  const second = (await own.post('/lists', { name: 'second' })).body
  const names = async () => (await own.get('/lists')).body.map((l: { name: string }) => l.name)
  expect(await names()).toEqual(['first', 'second'])
  const { body } = await own.patch(`/lists/${first.id}`, { order: 7.5, favorite: true })
  const settings = { color: '', auto_status: false }
  const changed = { order: 7.5, favorite: true, updated_at: body.updated_at }
  expect(body).toEqual({ ...first, ...settings, ...changed })
  expect(await names()).toEqual(['second', 'first'])
  expect((await own.patch(`/lists/${second.id}`)).body.name).toBe('second')
  const order = await own.patch(`/lists/${first.id}`, { attribute_definitions_order: ['a', 'b'] })
  expect(order.body.attribute_definitions_order).toEqual(['a', 'b'])
})

test('a list has a color; GET /lists/counts says how many leads each has, without deleted ones', async () => {
  const own = await app.workspace()
  const { body: list } = await own.post('/lists', { name: 'Fair', color: '#14b8a6' })
  const { body: other } = await own.post('/lists', { name: 'Empty' })
  expect((await own.get('/lists')).body).toMatchObject([{ color: '#14b8a6' }, { color: '' }])
  await own.patch(`/lists/${other.id}`, { color: '#f59e0b' })
  expect((await own.get('/lists')).body).toMatchObject([{}, { color: '#f59e0b' }])
  const leads = []
  for (const _ of [1, 2, 3]) leads.push((await own.post('/lead', { lists: [list.id] })).body.id)
  await own.remove(`/lead/${leads[0]}`)
  expect((await own.get('/lists/counts')).body).toEqual([
    { id: list.id, leads: 2 },
    { id: other.id, leads: 0 },
  ])
})

test('DELETE /lists/{id} hides the list and deletes its statuses', async () => {
  const list = (await space.post('/lists', { name: 'Short-lived' })).body
  await space.post('/status', { name: 'Open', id_list: list.id })
  const kept = (await space.post('/status', { name: 'Kept' })).body
  expect(await space.remove(`/lists/${list.id}`)).toMatchObject({
    status: 200,
    body: 'List deleted',
  })
  const listIds = (await space.get('/lists')).body.map((l: { id: string }) => l.id)
  expect(listIds).not.toContain(list.id)
  const statuses = (await space.get('/status')).body
  expect(statuses.map((s: { id: string }) => s.id)).toEqual([kept.id])
  expect((await space.patch(`/lists/${list.id}`, { name: 'x' })).status).toBe(404)
  expect((await space.remove(`/lists/${list.id}`)).status).toBe(404)
  const refused = await space.post('/status', { name: 'Late', id_list: list.id })
  expect(refused.body.issues[0]).toMatchObject({ path: ['id_list'], code: 'unknown_record' })
})

test('a status that is created while its list is deleted does not remain', async () => {
  for (let round = 0; round < 10; round++) {
    const own = await app.workspace()
    const list = (await own.post('/lists', { name: 'L' })).body
    await Promise.all([
      own.post('/status', { name: 'a', id_list: list.id }),
      own.remove(`/lists/${list.id}`),
      own.post('/status', { name: 'b', id_list: list.id }),
    ])
    expect((await own.get('/status')).body).toEqual([])
  }
})

test('each change leaves an event with what is different, and a change to the same leaves none', async () => {
  const own = await app.workspace()
  const { body: list } = await own.post('/lists', { name: 'Fair', emoji: '🎪' })
  await own.patch(`/lists/${list.id}`, { name: 'Fair 2026', emoji: '🎪', favorite: true })
  await own.patch(`/lists/${list.id}`, { name: 'Fair 2026' })
  await own.post('/status', { name: 'Met', id_list: list.id })
  await own.remove(`/lists/${list.id}`)
  const events = await writtenEvents(app.db, own)
  expect(events).toMatchObject([
    { type: 'list.created', ids: [list.id] },
    { type: 'list.updated', ids: [list.id] },
    { type: 'status.created' },
    { type: 'list.deleted', ids: [list.id], changed: { name: ['Fair 2026', null] } },
  ])
  expect(events[0]?.changed).toMatchObject({ name: [null, 'Fair'], emoji: [null, '🎪'] })
  expect(events[1]?.changed).toEqual({ name: ['Fair', 'Fair 2026'], favorite: [false, true] })
})

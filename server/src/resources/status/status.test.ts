import { beforeAll, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
let list: { id: string }
beforeAll(async () => {
  space = await app.workspace()
  list = (await space.post('/lists', { name: 'Pipeline' })).body
})

const find = async (id: string) =>
  (await space.get('/status')).body.find((row: { id: string }) => row.id === id)

describe('POST /status', () => {
  test('returns the whole status', async () => {
    const sent = { name: 'Proposal', id_list: list.id, color: '#6366f1', success_rate: 62.5 }
    const { status, body } = await space.post('/status', { ...sent, ai_enabled: true, order: 3 })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...sent,
      id: expect.any(String),
      type: null,
      icon: '',
      instructions: '',
      id_space: space.id_space,
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
      ai_instructions_text: '',
      ai_rules_text: '',
      order: 3,
      ai_enabled: true,
      leads_order: null,
      ai_instructions: null,
      ai_rules: null,
    })
  })

  test('requires only a name, and is placed after the others of its list', async () => {
    const own = await app.workspace()
    const ownList = (await own.post('/lists', { name: 'P' })).body
    const order = async (body: object) => (await own.post('/status', body)).body.order
    expect(await order({ name: 'a' })).toBe(0)
    expect(await order({ name: 'b', id_list: '' })).toBe(1)
    expect(await order({ name: 'c', id_list: null })).toBe(2)
    expect(await order({ name: 'd', id_list: ownList.id })).toBe(0)
    expect(await order({ name: 'e', id_list: ownList.id, order: 10 })).toBe(10)
    expect(await order({ name: 'f', id_list: ownList.id })).toBe(11)
  })

  test.each([
    [{ name: 'a', id_list: 'nonsense' }, ['id_list']],
    [{ name: 'a', id_list: '01920000-0000-7000-8000-0000000000ff' }, ['id_list']],
    [{ name: 'a', success_rate: 101 }, ['success_rate']],
    [{ name: 'a', success_rate: -1 }, ['success_rate']],
    [{ name: 'a', success_rate: '50' }, ['success_rate']],
    [{ name: 'a', order: 'first' }, ['order']],
    [{ color: 'red' }, ['name']],
  ])('refuses %j with 400, never 404', async (body, path) => {
    const answer = await space.post('/status', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })])
  })
})

describe('PATCH /status', () => {
  test('changes several at once, only what is sent', async () => {
    const one = (await space.post('/status', { name: 'One', color: 'red' })).body
    const two = (await space.post('/status', { name: 'Two' })).body
    app.clock.advance(1000)
    const updated_at = app.clock.now.toISOString()
    const answer = await space.patch('/status', {
      status: [
        { id: one.id, order: 9, type: 'DEAL_WON', success_rate: 100, leads_order: ['x', 1, null] },
        { id: two.id.toUpperCase(), name: 'Zwei', color: 'blue' },
      ],
    })
    expect(answer).toMatchObject({ status: 200, body: '2 statuses updated' })
    const won = { ...one, order: 9, type: 'DEAL_WON', success_rate: 100, updated_at }
    expect(await find(one.id)).toEqual({ ...won, leads_order: ['x', 1, null] })
    expect(await find(two.id)).toEqual({ ...two, name: 'Zwei', color: 'blue', updated_at })

    await space.patch('/status', { status: [{ id: one.id, type: null, leads_order: null }] })
    expect(await find(one.id)).toEqual({ ...won, type: null })
  })

  test('is all or nothing', async () => {
    const one = (await space.post('/status', { name: 'Stays' })).body
    const answer = await space.patch('/status', {
      status: [
        { id: one.id, name: 'Changed' },
        { id: list.id, name: 'No status' },
        { id: 'nonsense' },
      ],
    })
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(['status', 2, 'id'])
    const again = await space.patch('/status', {
      status: [{ id: one.id, name: 'Changed' }, { id: list.id }],
    })
    expect(again.status).toBe(400)
    expect(again.body.issues).toEqual([
      {
        path: ['status', 1, 'id'],
        code: 'unknown_record',
        message: 'No such status in this workspace',
      },
    ])
    expect((await find(one.id)).name).toBe('Stays')
  })

  test.each([
    [{}, ['status']],
    [{ status: {} }, ['status']],
    [{ status: [{ name: 'x' }] }, ['status', 0, 'id']],
    [{ status: [{ id: 'x', type: 'WON' }] }, ['status', 0, 'type']],
    [{ status: [{ id: 'x', success_rate: 1e9 }] }, ['status', 0, 'success_rate']],
    [{ status: [{ id: 'x', name: '' }] }, ['status', 0, 'name']],
  ])('refuses %j', async (body, path) => {
    const answer = await space.patch('/status', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(path)
  })

  test('refuses the same status twice, because it is not clear which entry counts', async () => {
    const { id } = (await space.post('/status', { name: 'Twice' })).body
    const { body } = await space.patch('/status', { status: [{ id }, { id: id.toUpperCase() }] })
    expect(body.issues).toEqual([expect.objectContaining({ path: ['status', 1, 'id'] })])
  })

  test('accepts an empty array', async () => {
    expect((await space.patch('/status', { status: [] })).body).toBe('0 statuses updated')
  })
})

test('DELETE /status/{id} removes the status for good', async () => {
  const { id } = (await space.post('/status', { name: 'Gone' })).body
  expect(await space.remove(`/status/${id}`)).toMatchObject({ status: 200, body: 'Status deleted' })
  expect(await find(id)).toBeUndefined()
  expect((await space.remove(`/status/${id}`)).status).toBe(404)
})

describe('events', () => {
  test('PATCH leaves one for each status that is different now, and none when it is refused', async () => {
    const own = await app.workspace()
    const made: { id: string }[] = []
    for (const name of ['Met', 'Offer', 'Won']) {
      made.push((await own.post('/status', { name, success_rate: 10 })).body)
    }
    const [first, second, third] = made.map(({ id }) => id)
    const changes = [
      { id: first, order: 2, leads_order: [first] },
      { id: second, success_rate: 10 },
      { id: third, order: 0, type: 'DEAL_WON' },
    ]
    await own.patch('/status', { status: [...changes, { id: list.id, order: 5 }] })
    expect(await writtenEvents(app.db, own, 'status.updated')).toEqual([])
    await own.patch('/status', { status: changes })
    const events = await writtenEvents(app.db, own, 'status.updated')
    const byId = Object.fromEntries(events.map(({ ids, changed }) => [ids, changed]))
    expect(byId).toEqual({
      [first as string]: { order: [0, 2], leads_order: [null, [first]] },
      [third as string]: { order: [2, 0], type: [null, 'DEAL_WON'] },
    })
  })

  test('DELETE leaves one, and one only', async () => {
    const own = await app.workspace()
    const { body } = await own.post('/status', { name: 'Met' })
    const remove = () => own.remove(`/status/${body.id}`)
    await Promise.all([remove(), remove()])
    expect(await writtenEvents(app.db, own, 'status.deleted')).toMatchObject([{ ids: [body.id] }])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

describe('POST /tags', () => {
  test('returns the whole tag', async () => {
    const { status, body } = await space.post('/tags', { name: 'Warm', color: '#f59e0b' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      name: 'Warm',
      color: '#f59e0b',
      icon: '',
      order: 0,
      show: true,
      id_list: '',
      id_space: space.id_space,
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
      ai_enabled: false,
      ai_instructions: null,
      ai_instructions_text: '',
      ai_rules: null,
      ai_rules_text: '',
    })
  })

  test.each([
    [{}, ['name'], 'required'],
    [{ name: '' }, ['name'], 'pattern'],
    [{ name: '  ' }, ['name'], 'pattern'],
    [{ name: 7 }, ['name'], 'type'],
    [{ name: 'a', color: null }, ['color'], 'type'],
    [{ name: 'a\0b' }, ['name'], 'text'],
    [{ name: 'a\ud800' }, ['name'], 'text'],
    [[], [], 'type'],
  ])('refuses %j', async (body, path, code) => {
    const before = (await space.get('/tags')).body.length
    const answer = await space.post('/tags', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'BAD_REQUEST', message: 'Invalid input data' })
    expect(answer.body.issues[0]).toMatchObject({ path, code, message: expect.any(String) })
    expect((await space.get('/tags')).body).toHaveLength(before)
  })

  test('reports every fault at once', async () => {
    const { body } = await space.post('/tags', { name: 1, color: 2 })
    expect(body.issues.map((issue: { path: string[] }) => issue.path)).toEqual([
      ['name'],
      ['color'],
    ])
  })

  test('ignores unknown fields', async () => {
    const { status, body } = await space.post('/tags', { name: 'Extra', id: 'mine', unknown: [1] })
    expect(status).toBe(200)
    expect(body.id).not.toBe('mine')
    expect(body).not.toHaveProperty('unknown')
  })

  test('stores unusual text unchanged', async () => {
    const name = `'; drop table tag; -- %_\\ "quotes" 🦊 \u202e é\u0301`
    expect((await space.post('/tags', { name })).body.name).toBe(name)
  })
})

describe('GET /tags', () => {
  test('returns the tags in order, without the fields that only the create response has', async () => {
    const own = await app.workspace()
    for (const name of ['one', 'two', 'three']) await own.post('/tags', { name })
    const { body } = await own.get('/tags')
    expect(body.map(({ name, order }: { name: string; order: number }) => [name, order])).toEqual([
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ])
    expect(Object.keys(body[0]).sort()).toEqual(
      [
        'color',
        'created_at',
        'icon',
        'id',
        'id_list',
        'id_space',
        'name',
        'order',
        'show',
        'updated_at',
      ].sort(),
    )
  })
})

describe('PATCH /tags/{id}', () => {
  test('changes only what is sent', async () => {
    const tag = (await space.post('/tags', { name: 'Old', color: 'red' })).body
    app.clock.advance(1000)
    const { status, body } = await space.patch(`/tags/${tag.id}`, { name: 'New', show: false })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...tag,
      name: 'New',
      show: false,
      updated_at: app.clock.now.toISOString(),
    })
  })

  test('sets and clears the list of a tag; deleting the list clears it too', async () => {
    const tag = (await space.post('/tags', { name: 'Bound' })).body
    const list = (await space.post('/lists', { name: 'L' })).body
    const bound = await space.patch(`/tags/${tag.id}`, { id_list: list.id })
    expect(bound.body.id_list).toBe(list.id)
    expect((await space.patch(`/tags/${tag.id}`, { id_list: '' })).body.id_list).toBe('')
    await space.patch(`/tags/${tag.id}`, { id_list: list.id })
    await space.remove(`/lists/${list.id}`)
    const after = (await space.get('/tags')).body.find((t: { id: string }) => t.id === tag.id)
    expect(after.id_list).toBe('')
  })

  test('refuses a list that does not exist, and changes nothing', async () => {
    const tag = (await space.post('/tags', { name: 'Same' })).body
    const answer = await space.patch(`/tags/${tag.id}`, { name: 'Other', id_list: tag.id })
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(['id_list'])
    const after = (await space.get('/tags')).body.find((t: { id: string }) => t.id === tag.id)
    expect(after.name).toBe('Same')
  })

  test.each(['01920000-0000-7000-8000-0000000000ff', 'nonsense', '%00'])(
    'does not find %s',
    async (id) => {
      const answer = await space.patch(`/tags/${id}`, { name: 'x' })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ code: 'NOT_FOUND', message: 'Not found', issues: [] })
    },
  )
})

test('DELETE /tags/{id} removes the tag for good', async () => {
  const tag = (await space.post('/tags', { name: 'Gone' })).body
  expect(await space.remove(`/tags/${tag.id}`)).toMatchObject({ status: 200, body: 'Tag deleted' })
  expect((await space.remove(`/tags/${tag.id}`)).status).toBe(404)
})

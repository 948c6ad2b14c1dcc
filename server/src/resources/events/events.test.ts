import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

test('a change is in the feed with who did it, and a reader goes on from its cursor', async () => {
  const start = (await space.get('/events?after=now')).body
  expect(start.events).toEqual([])
  const tag = (await space.post('/tags', { name: 'Warm', color: 'red' })).body
  const page = (await space.get(`/events?after=${start.next}&wait=10`)).body
  expect(page.events).toEqual([
    {
      seq: 1,
      type: 'tag.created',
      at: app.clock.now.toISOString(),
      actor: {
        member: space.owner,
        key: expect.any(String),
        way: 'api',
        request_id: expect.any(String),
      },
      cause: { request_id: expect.any(String), operation: null, undo_of: null },
      ids: [tag.id],
      changed: {
        name: [null, 'Warm'],
        color: [null, 'red'],
        icon: [null, ''],
        order: [null, 0],
        show: [null, true],
        id_list: [null, ''],
        ai_enabled: [null, false],
        ai_instructions_text: [null, ''],
        ai_rules_text: [null, ''],
      },
    },
  ])
  await space.patch(`/tags/${tag.id}`, { name: 'Hot', color: 'red' })
  const second = (await space.get(`/events?after=${page.next}&wait=10`)).body
  expect(second.events).toMatchObject([
    { seq: 2, type: 'tag.updated', changed: { name: ['Warm', 'Hot'] } },
  ])
})

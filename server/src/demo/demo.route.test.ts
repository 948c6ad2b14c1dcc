import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'

const app = service()

test('fills an empty workspace with a thousand leads, once', async () => {
  const space = await app.workspace()
  const { status, body } = await space.post('/demo')
  expect([status, body]).toEqual([200, '1000 leads created'])
  const { body: page } = await space.post('/leads/list', { pagination: { page_size: 1 } })
  expect(page.total).toBe(1_000)
  // The history of a lead says who created it.
  const history = async () =>
    (await space.get(`/lead/${page.leads[0].id}/events?limit=1000`)).body.events.at(-1)
  await expect.poll(history).toMatchObject({
    type: 'lead.created',
    actor: { member: space.owner, way: 'api' },
  })

  const again = await space.post('/demo', {})
  expect(again.status).toBe(400)
  expect(again.body.issues).toMatchObject([{ path: [], code: 'has_leads' }])
  const more = await space.post('/demo', { leads: 5, add: true })
  expect(more.body).toBe('5 leads created')
})

test('is for admins, and fills only their own workspace', async () => {
  const space = await app.workspace()
  const other = await app.workspace()
  const writer = app.as(await app.key(space, 'write'))
  expect((await writer.post('/demo', {})).status).toBe(403)
  await space.post('/demo', { leads: 3 })
  const { body } = await other.post('/leads/list', {})
  expect(body.total).toBe(0)
})

test('two at the same time fill it once', async () => {
  const space = await app.workspace()
  const answers = await Promise.all([1, 2].map(() => space.post('/demo', { leads: 20 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const { body } = await space.post('/leads/list', {})
  expect(body.total).toBe(20)
})

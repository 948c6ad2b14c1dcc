import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

test('a favorite is that of one member, also of a view that is not theirs', async () => {
  const { body: view } = await space.post('/views', { name: 'Hot', shared: true })
  expect(view.favorite).toBe(false)
  const other = app.as(await app.key(space, 'write', await app.member(space)))
  const liked = await other.patch(`/views/${view.id}`, { favorite: true })
  expect(liked).toMatchObject({ status: 200, body: { ...view, favorite: true } })
  expect((await other.get('/views')).body).toMatchObject([{ id: view.id, favorite: true }])
  expect((await space.get('/views')).body).toMatchObject([{ id: view.id, favorite: false }])
  expect((await other.patch(`/views/${view.id}`, { favorite: true, name: 'x' })).status).toBe(403)
  await other.patch(`/views/${view.id}`, { favorite: false })
  expect((await other.get('/views')).body).toMatchObject([{ favorite: false }])
})

test('the owner changes a view and its favorite at once; what is not sent stays', async () => {
  const { body: view } = await space.post('/views', { name: 'Mine' })
  const change = async (body: object) => (await space.patch(`/views/${view.id}`, body)).body
  expect(await change({ name: 'Own', favorite: true })).toMatchObject({
    name: 'Own',
    favorite: true,
  })
  expect(await change({ name: 'Again' })).toMatchObject({ name: 'Again', favorite: true })
  const other = app.as(await app.key(space, 'write', await app.member(space)))
  expect((await other.patch(`/views/${view.id}`, { favorite: true })).status).toBe(404)
  expect((await space.remove(`/views/${view.id}`)).status).toBe(200)
})

// API keys over HTTP.
import { beforeAll, expect, test } from 'vitest'
import { type Browser, signedIn } from '../../../test/browser.ts'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
let admin: Browser
let adminId: string
beforeAll(async () => {
  space = await app.workspace()
  adminId = await app.member(space, 'admin')
  admin = await signedIn(app, { id_space: space.id_space, id: adminId })
})

const create = (body: object) => admin.call('POST', '/rest/keys', body)

test('a key is shown once, works at once, and stops within 5 seconds after it is revoked', async () => {
  const { status, body } = await create({ name: 'Dashboard', role: 'read' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Dashboard', role: 'read', id_member: adminId })
  expect(body.key).toMatch(/^rk_[\w-]{43}$/)
  expect((await app.as(body.key).get('/me')).body).toMatchObject({ id: adminId, way: 'api' })
  expect((await app.as(body.key).post('/tags', { name: 'Warm' })).status).toBe(403)

  const listed = await admin.call('GET', '/rest/keys')
  expect(JSON.stringify(listed.body)).not.toContain(body.key)
  const { key, ...rest } = body
  expect(listed.body.find((one: { id: string }) => one.id === body.id)).toEqual(rest)

  const revoked = await admin.call('DELETE', `/rest/keys/${body.id}`)
  expect([revoked.status, revoked.body]).toEqual([200, 'Key revoked'])
  app.clock.advance(5_000)
  expect((await app.as(key).get('/me')).status).toBe(401)
})

test('the list has the keys of the workspace, and no session', async () => {
  const other = await app.workspace()
  const own = app.as(other.key)
  await signedIn(app, { id_space: other.id_space, id: other.owner })
  const { body } = await own.get('/keys')
  expect(body).toHaveLength(1)
  expect(body[0]).toMatchObject({ id_member: other.owner, role: 'admin', revoked_at: null })
})

test('a session, a key of another workspace and what is no id cannot be revoked', async () => {
  const [session] = (await admin.call('GET', '/session/list')).body
  const other = await app.workspace()
  const [theirs] = (await app.as(other.key).get('/keys')).body
  for (const id of [session.id, theirs.id, 'x']) {
    expect((await admin.call('DELETE', `/rest/keys/${id}`)).status).toBe(404)
  }
})

test('a key has at most the role of its member', async () => {
  const id_member = await app.member(space, 'read')
  const { status, body } = await create({ name: 'Too much', id_member })
  expect([status, body.issues[0]]).toMatchObject([400, { path: ['role'], code: 'too_high' }])
  expect((await create({ name: 'Fine', id_member, role: 'read' })).status).toBe(200)
})

test('an end in the future is kept, and then the key stops', async () => {
  const expires_at = new Date(app.clock.now.getTime() + 60_000).toISOString()
  const { body } = await create({ name: 'Short', expires_at })
  expect(body.expires_at).toBe(expires_at)
  expect((await app.as(body.key).get('/me')).status).toBe(200)
  app.clock.advance(60_000)
  expect((await app.as(body.key).get('/me')).status).toBe(401)
})

test('an end in another time zone is returned in UTC', async () => {
  const { body } = await create({ name: 'Far', expires_at: '2030-01-01T01:00:00+01:00' })
  expect(body.expires_at).toBe('2030-01-01T00:00:00.000Z')
})

test.each([
  [{}, ['name']],
  [{ name: ' ' }, ['name']],
  [{ name: 'x', role: 'owner' }, ['role']],
  [{ name: 'x', id_member: 'x' }, ['id_member']],
  [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
  [{ name: 'x', expires_at: 'tomorrow' }, ['expires_at']],
  [{ name: 'x', expires_at: '2030-06-30T23:59:60Z' }, ['expires_at']],
])('the body %j is refused', async (body, path) => {
  const answer = await create(body)
  expect([answer.status, answer.body.issues[0]?.path]).toEqual([400, path])
})

test('the secret is not kept for a repeated request', async () => {
  const send = () =>
    admin.call('POST', '/rest/keys', { name: 'Once' }, { 'Idempotency-Key': 'the same' })
  expect((await send()).body.key).not.toBe((await send()).body.key)
  const rows = await app.db.unsafe('select * from idempotency')
  expect(JSON.stringify(rows)).not.toContain('rk_')
})

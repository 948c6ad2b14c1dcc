// API keys over HTTP.
import { contract, exampleIds } from '@rapport/contract'
import { allows, type Scope, scopeRoles, scopes } from '@rapport/contract/roles'
import { type Route, scopesOf } from '@rapport/contract/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, signedIn } from '../../../test/browser.ts'
import { writtenEvents } from '../../../test/events.ts'
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

describe('scopes', () => {
  const routes = Object.values(contract).flatMap(({ routes }): Route[] => Object.values(routes))
  /** A member with the role read changes these too. A key that is narrowed to reading does not. */
  const ownThings = ['/calendar', '/notifications/read', '/notifications/settings']
  const keyWith = async (body: object) => {
    const { status, body: made } = await create({ name: 'Narrowed', role: 'admin', ...body })
    expect([status, made.issues]).toEqual([200, undefined])
    return app.as(made.key)
  }
  const call = (key: ReturnType<typeof app.as>, { method, path }: Route) =>
    app.request(`/rest${path.replace('{id}', adminId)}`, {
      method,
      headers: { 'X-API-KEY': key.key, 'Content-Type': 'application/json' },
      ...(method !== 'GET' && { body: '{}' }),
    })
  const fault = (scope: Scope) => ({
    status: 403,
    body: {
      code: 'FORBIDDEN',
      issues: [{ code: 'scope', message: `This key lacks the scope "${scope}"` }],
    },
  })

  test('every route is refused to a key that has all scopes but one that it needs', async () => {
    const without = new Map<Scope, ReturnType<typeof app.as>>()
    for (const scope of scopes) {
      without.set(scope, await keyWith({ scopes: scopes.filter((one) => one !== scope) }))
    }
    const seen = new Set<Scope>()
    for (const route of routes) {
      const needed = scopesOf(route)
      expect(needed.length, route.path).toBeGreaterThan(0)
      for (const scope of needed) {
        const isOwn = ownThings.includes(route.path)
        const role = isOwn ? 'write' : route.role
        expect(allows(role, scopeRoles[scope]), `${route.method} ${route.path}`).toBe(true)
        seen.add(scope)
        const key = without.get(scope) as ReturnType<typeof app.as>
        expect(await call(key, route), `${route.method} ${route.path}`).toMatchObject(fault(scope))
      }
    }
    // Nothing sends campaigns yet.
    expect(scopes.filter((scope) => !seen.has(scope))).toEqual(['mail'])
  })

  test('a key does what its scopes allow, and says which they are', async () => {
    const key = await keyWith({ scopes: ['read', 'write', 'write'], kind: 'agent' })
    expect((await key.get('/me')).body).toMatchObject({
      key: { role: 'admin', scopes: ['read', 'write'] },
      way: 'agent',
    })
    const lead = (await key.post('/lead', { first_name: 'Ada' })).body
    expect(await key.remove(`/lead/${lead.id}`)).toMatchObject(fault('delete'))
    expect(await key.post('/leads/export', {})).toMatchObject(fault('export'))
    const [event] = await writtenEvents(app.db, space, 'lead.created')
    expect(event).toMatchObject({ ids: [lead.id], way: 'agent' })
  })

  test('deleting and merging by an operation take both scopes, and so does doing it again', async () => {
    const bulk = await keyWith({ scopes: ['read', 'bulk'] })
    const all = await keyWith({ scopes: ['read', 'write', 'bulk', 'delete'] })
    const make = async () => (await all.post('/lead', {})).body.id as string
    const merge = {
      ...{ kind: 'merge', filter: { leads: [await make(), await make()] } },
      data: { survivor: 'oldest' },
    }
    const merging = (await bulk.post('/operations/preview', merge)).body
    expect(await bulk.post('/operations', { ...merge, confirm: merging.confirm })).toMatchObject(
      fault('delete'),
    )
    const { confirm: ours } = (await all.post('/operations/preview', merge)).body
    const done = (await all.post('/operations', { ...merge, confirm: ours })).body
    expect(done).toMatchObject({ state: 'done', count: 2 })
    const undone = (await bulk.post(`/operations/${done.id}/undo`)).body
    expect(undone).toMatchObject({ state: 'done', undo_of: done.id })
    expect(await bulk.post(`/operations/${undone.id}/undo`)).toMatchObject(fault('delete'))
    const redone = (await all.post(`/operations/${undone.id}/undo`)).body
    expect(redone).toMatchObject({ state: 'done' })
    expect((await bulk.post(`/operations/${redone.id}/undo`)).status).toBe(200)

    // Nor is a restored lead deleted by an undo.
    const id = await make()
    await all.remove(`/lead/${id}`)
    const restore = { kind: 'restore', filter: { leads: [id] }, data: {} }
    const seen = (await all.post('/operations/preview', restore)).body
    const restored = await all.post('/operations', { ...restore, confirm: seen.confirm })
    const operation = restored.body.id
    expect(await bulk.post(`/operations/${operation}/undo`)).toMatchObject(fault('delete'))
    const newest = async () => (await all.get(`/lead/${id}/events`)).body.events[0]
    await expect.poll(newest).toMatchObject({ type: 'lead.restored' })
    const { seq } = await newest()
    const write = await keyWith({ scopes: ['read', 'write', 'bulk'] })
    expect(await write.post(`/lead/${id}/undo`, { seq })).toMatchObject(fault('delete'))
    expect((await all.post(`/operations/${operation}/undo`)).status).toBe(200)

    // Nor is what an import has created.
    const file = 'First name\nGrace\n'
    const imported = (await bulk.call('POST', '/leads/import', file, 'text/csv')).body
    expect(imported).toMatchObject({ created: 1 })
    const undoImport = `/operations/${imported.id}/undo`
    expect(await bulk.post(undoImport)).toMatchObject(fault('delete'))
    const gone = (await all.post(undoImport)).body
    expect(gone).toMatchObject({ state: 'done', undone: 1 })
    const back = (await bulk.post(`/operations/${gone.id}/undo`)).body
    expect(back).toMatchObject({ state: 'done' })
    expect(await bulk.post(`/operations/${back.id}/undo`)).toMatchObject(fault('delete'))

    const wanted = { kind: 'delete', filter: { search: 'nobody at all' }, data: {} }
    const { confirm } = (await bulk.post('/operations/preview', wanted)).body
    expect(await bulk.post('/operations', { ...wanted, confirm })).toMatchObject(fault('delete'))
    const both = await keyWith({ scopes: ['read', 'bulk', 'delete'] })
    const again = (await both.post('/operations/preview', wanted)).body
    expect((await both.post('/operations', { ...wanted, confirm: again.confirm })).status).toBe(200)
  })

  test('a key that may not read gets no leads from a change that is not confirmed', async () => {
    const writer = await keyWith({ scopes: ['bulk', 'delete', 'admin'] })
    const wanted = { filter: { search: 'Ada' }, data: { city: 'Rome' }, confirm: 'none' }
    const refused = await writer.post('/operations', { kind: 'update', ...wanted })
    expect(refused).toMatchObject(fault('read'))
    expect(refused.body.preview).toBeUndefined()
    expect(await writer.post('/leads/erase', { filter: {}, confirm: 'none' })).toMatchObject(
      fault('read'),
    )
    const headers = { 'X-API-KEY': writer.key }
    const { text: document } = await app.request('/openapi.json', { headers })
    expect(document).toContain(exampleIds.lead)
  })

  test('a key that is narrowed to reading changes nothing, not even for its member', async () => {
    const reader = await keyWith({ scopes: ['read', 'export'] })
    expect(await reader.remove('/calendar')).toMatchObject(fault('write'))
    expect(await reader.post('/notifications/read', {})).toMatchObject(fault('write'))
    expect(await reader.patch('/notifications/settings', {})).toMatchObject(fault('write'))
    const reading = routes.filter((route) => !scopesOf(route).some((one) => one !== 'read'))
    const isRead = ({ method, path }: Route) =>
      method === 'GET' || /list|search|stats|stage-times|counts?|deleted|preview/.test(path)
    // Only a person creates an address.
    expect(reading.filter((route) => !isRead(route)).map(({ path }) => path)).toEqual(['/calendar'])
  })

  test('events go to a webhook only by a key that may read them', async () => {
    const admin = await keyWith({ scopes: ['admin'] })
    const body = { name: 'Out', url: 'https://hooks.example.com/x', types: ['lead.*'] }
    expect(await admin.post('/webhooks', body)).toMatchObject(fault('read'))
    expect(await admin.patch(`/webhooks/${adminId}`, {})).toMatchObject(fault('read'))
  })

  test('what a key was refused is in the audit log, a burst as one entry', async () => {
    const key = await keyWith({ name: 'Curious', scopes: ['read'] })
    const refusals = async () =>
      (await admin.call('GET', '/rest/audit')).body.entries.filter(
        ({ action, about }: { action: string; about: { name: string } }) =>
          action === 'key.refused' && about.name === 'Curious',
      )
    for (let times = 0; times < 3; times++) await key.post('/tags', { name: 'Warm' })
    const reason = 'This key lacks the scope "write"'
    expect(await refusals()).toMatchObject([{ about: { reason, count: 1 } }])
    app.clock.advance(3_600_000)
    await key.post('/tags', { name: 'Warm' })
    expect((await refusals())[0]).toMatchObject({ about: { reason, count: 3 } })
  })
})

describe('networks', () => {
  test('a key is refused from elsewhere, and tells where it was last used', async () => {
    const far = (await create({ name: 'Far', allowed_from: ['10.0.0.0/8', '2001:db8::/32'] })).body
    const refused = await app.as(far.key).get('/me')
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, 'network'])
    const near = (await create({ name: 'Near', allowed_from: ['127.0.0.0/8', '::1'] })).body
    app.clock.advance(60_000)
    expect((await app.as(near.key).get('/me')).status).toBe(200)
    const listed = (await admin.call('GET', '/rest/keys')).body
    const shown = listed.find(({ id }: { id: string }) => id === near.id)
    expect(shown.allowed_from).toEqual(['127.0.0.0/8', '::1'])
    expect(shown.last_used_from).toMatch(/127\.0\.0\.1|::1/)
  })

  test('only a trusted proxy says where a request comes from', async () => {
    const { key } = (await create({ name: 'Office', allowed_from: ['10.0.0.0/8'] })).body
    const { url, app: proxied } = await app.another(0, { config: { trustProxy: ['127.0.0.1'] } })
    const from = async (service: string, address: string) => {
      const headers = { 'X-API-KEY': key, 'X-Forwarded-For': address }
      return (await fetch(`${service}/rest/me`, { headers })).status
    }
    expect(await from(app.url, '10.0.0.7')).toBe(403)
    const inside = ['10.0.0.7', '::ffff:10.0.0.7', '::ffff:a00:7', '203.0.113.5, 10.0.0.7']
    for (const address of inside)
      expect([address, await from(url, address)]).toEqual([address, 200])
    const outside = [
      '203.0.113.5',
      '10.0.0.7, 203.0.113.5',
      '::10.0.0.7',
      '10.0.0.7:1234',
      'unknown',
    ]
    for (const address of outside)
      expect([address, await from(url, address)]).toEqual([address, 403])
    await proxied.close()
  })
})

test.each([
  [{ scopes: [] }, ['scopes']],
  [{ scopes: ['everything'] }, ['scopes', 0]],
  [{ scopes: ['read', 'admin'] }, ['scopes', 1]],
  [{ scopes: ['write'], role: 'read' }, ['scopes', 0]],
  [{ allowed_from: ['10.0.0.0/33'] }, ['allowed_from', 0]],
  [{ allowed_from: ['10.0.0.7', 'example.com'] }, ['allowed_from', 1]],
  [{ allowed_from: [] }, ['allowed_from']],
  [{ kind: 'session' }, ['kind']],
])('a key with %j is refused', async (body, path) => {
  const answer = await create({ name: 'x', ...body })
  expect([answer.status, answer.body.issues[0]?.path]).toEqual([400, path])
})

test('a key cannot create one that may do more than itself', async () => {
  const limits = {
    scopes: ['admin', 'read'],
    allowed_from: ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104'],
  }
  const { body } = await create({ name: 'Limited', role: 'admin', ...limits })
  const limited = app.as(body.key)
  const make = async (more: object) => {
    const answer = await limited.post('/keys', { name: 'Made', role: 'read', ...more })
    return answer.status === 200 ? 200 : answer.body.issues[0].path[0]
  }
  const from = ['127.0.0.1']
  expect(await make({ scopes: ['read'], allowed_from: from })).toBe(200)
  expect(await make({ allowed_from: from })).toBe('scopes')
  expect(await make({ scopes: ['read', 'export'], allowed_from: from })).toBe('scopes')
  expect(await make({ scopes: ['read'] })).toBe('allowed_from')
  expect(await make({ scopes: ['read'], allowed_from: ['127.0.0.0/7'] })).toBe('allowed_from')
  // Of IPv6, these are the first 9 bits.
  expect(await make({ scopes: ['read'], allowed_from: ['::ffff:127.0.0.0/9'] })).toBe(
    'allowed_from',
  )
  const mapped = ['::ffff:127.0.0.0/120', '127.0.1.0/24']
  expect(await make({ scopes: ['read'], allowed_from: mapped })).toBe(200)
})

test('an agent cannot create a key that hides that it is one', async () => {
  const { body } = await create({ name: 'Assistant', role: 'admin', kind: 'agent' })
  const agent = app.as(body.key)
  expect((await agent.post('/keys', { name: 'Mine' })).body).toMatchObject({ kind: 'agent' })
  const hidden = await agent.post('/keys', { name: 'Mine', kind: 'key' })
  expect([hidden.status, hidden.body.issues[0]?.path]).toEqual([400, ['kind']])
})

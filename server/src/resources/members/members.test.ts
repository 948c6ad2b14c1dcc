// Members, invitations and the workspace, over HTTP.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, linkTo, openBrowser, signedIn } from '../../../test/browser.ts'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
let owner: Browser
let admin: Browser
let reader: Browser
const member = (id: string) => ({ id_space: space.id_space, id })

beforeAll(async () => {
  space = await app.workspace()
  owner = await signedIn(app, member(space.owner))
  admin = await signedIn(app, member(await app.member(space, 'admin')))
  reader = await signedIn(app, member(await app.member(space, 'read')))
})

let last = 0
let email: string
beforeEach(() => {
  email = `tom.${++last}@example.com`
})
const invite = (browser: Browser, body: object) => browser.call('POST', '/rest/members', body)
const tokenOf = (link: string) => link.slice(link.indexOf('=') + 1)
const listed = async (id: string) =>
  (await admin.call('GET', '/rest/members')).body.find((one: { id: string }) => one.id === id)

describe('an invitation', () => {
  test('adds the member, and its link lets them in with a name and a password', async () => {
    const { status, body } = await invite(admin, { email, name: 'Tom', role: 'read' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ email, name: 'Tom', role: 'read' })
    expect(body.link).toMatch(new RegExp(`^${app.url}/#invitation=rl_[\\w-]{43}$`))
    expect(Date.parse(body.expires_at) - app.clock.now.getTime()).toBe(7 * 24 * 60 * 60_000)
    expect(await listed(body.id)).toMatchObject({ email, invited_until: body.expires_at })

    const browser = openBrowser(app)
    const accept = { token: tokenOf(body.link), name: 'Tom Reed', password: 'a fine long sentence' }
    expect((await browser.call('POST', '/session/link', accept)).status).toBe(200)
    const me = (await browser.call('GET', '/rest/me')).body
    expect(me).toMatchObject({ id: body.id, name: 'Tom Reed', role: 'read' })
    expect(me).toMatchObject({ way: 'web', has_password: true })
    expect(me.session).toMatchObject({ device: 'Firefox on Linux' })
    expect(await listed(body.id)).toMatchObject({ name: 'Tom Reed', invited_until: null })
  })

  test('that was not used is replaced by the next, which may have another role', async () => {
    const first = (await invite(admin, { email })).body
    expect(first).toMatchObject({ name: email, role: 'write' })
    const again = (await invite(admin, { email: email.toUpperCase(), role: 'admin' })).body
    expect(again).toMatchObject({ id: first.id, role: 'admin' })
    const look = (link: string) =>
      openBrowser(app).call('POST', '/session/link/look', { token: tokenOf(link) })
    expect((await look(first.link)).status).toBe(404)
    expect((await look(again.link)).status).toBe(200)
    const created = await admin.call('POST', `/rest/members/${first.id}/link`)
    expect(created.body).toMatchObject({ purpose: 'invitation' })
    expect((await look(again.link)).status).toBe(404)
    expect((await look(created.body.link)).status).toBe(200)
  })

  test('of a member is refused', async () => {
    const me = (await reader.call('GET', '/rest/me')).body
    const { status, body } = await invite(admin, { email: ` ${me.email.toUpperCase()} ` })
    expect([status, body.issues[0]]).toMatchObject([400, { path: ['email'], code: 'taken' }])
  })

  test('stores the address in one form, whatever characters it has', async () => {
    const variants = [
      ['vİctim@example.com', 'vi\u0307ctim@example.com'],
      ['victim@example.com', 'victim@example.com'],
      ['vıctim@example.com', 'vıctim@example.com'],
      ['ＶICTIM@example.com', 'ｖictim@example.com'],
      ['STRAẞE@EXÄMPLE.com', 'straße@xn--exmple-cua.com'],
      ['Jose\u0301@example.com', 'josé@example.com'],
    ]
    const ids = new Set<string>()
    for (const [given, stored] of variants) {
      const { status, body } = await invite(admin, { email: given })
      expect([status, body.email]).toEqual([200, stored])
      ids.add(body.id)
    }
    expect(ids.size).toBe(variants.length)
    // The same addresses in other spellings are the same members.
    for (const email of [
      'straße@xn--EXMPLE-cua.com',
      'JOSÉ@example.com',
      'VI\u0307CTIM@example.com',
    ]) {
      expect(ids).toContain((await invite(admin, { email })).body.id)
    }
  })

  test.each([
    [{ email: 'vic\u212atim@example.com' }, ['email']],
    [{ email: 'tom@xn--a.com' }, ['email']],
    [{ email: 'tom' }, ['email']],
    [{ email: 'Tom <tom@example.com>' }, ['email']],
    [{}, ['email']],
    [{ email: 'a@b.example', role: 'boss' }, ['role']],
    [{ email: 'a@b.example', name: ' ' }, ['name']],
    [{ email: 'a@b.example', name: 'a\nb' }, ['name']],
    [{ email: 'a@b.example', name: 'x'.repeat(201) }, ['name']],
  ])('with the body %j is refused', async (body, path) => {
    const answer = await invite(admin, body)
    expect([answer.status, answer.body.issues[0]?.path]).toEqual([400, path])
  })

  test('is made once when two admins invite the same address at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(admin, { email })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  })

  test('is not kept for a repeated request, because it has a secret', async () => {
    const headers = { 'Idempotency-Key': 'invite' }
    const send = () => admin.call('POST', '/rest/members', { email }, headers)
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    const rows = await app.db.unsafe('select * from idempotency')
    expect(JSON.stringify(rows)).not.toContain('rl_')
  })
})

test('writing members, keys and the workspace needs an admin', async () => {
  const write = await signedIn(app, member(await app.member(space, 'write')))
  const id = await app.member(space)
  for (const browser of [reader, write]) {
    for (const [method, path] of [
      ['POST', '/rest/members'],
      ['PATCH', `/rest/members/${id}`],
      ['DELETE', `/rest/members/${id}`],
      ['POST', `/rest/members/${id}/link`],
      ['GET', '/rest/keys'],
      ['POST', '/rest/keys'],
      ['PATCH', '/rest/workspace'],
    ] as const) {
      expect((await browser.call(method, path, method === 'GET' ? undefined : {})).status).toBe(403)
    }
    expect((await browser.call('GET', '/rest/members')).status).toBe(200)
  }
})

describe('owners', () => {
  test('only an owner can make, change, remove or reset one, or make a key for one', async () => {
    const path = `/rest/members/${space.owner}`
    const other = await app.member(space)
    const requests = [
      ['POST', '/rest/members', { email, role: 'owner' }],
      ['PATCH', path, { name: 'Taken' }],
      ['PATCH', `/rest/members/${other}`, { role: 'owner' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/link`, undefined],
      ['POST', '/rest/keys', { name: 'Mine', id_member: space.owner }],
    ] as const
    for (const [method, to, body] of requests) {
      expect((await admin.call(method, to, body)).status, `${method} ${to}`).toBe(403)
    }
    const promoted = await owner.call('PATCH', `/rest/members/${other}`, { role: 'owner' })
    expect([promoted.status, promoted.body.role]).toEqual([200, 'owner'])
    expect((await owner.call('DELETE', `/rest/members/${other}`)).status).toBe(200)
    expect((await owner.call('POST', `${path}/link`)).body.purpose).toBe('reset')
  })

  test('the last one stays', async () => {
    const path = `/rest/members/${space.owner}`
    const demoted = await owner.call('PATCH', path, { role: 'admin' })
    expect(demoted.status).toBe(400)
    expect(demoted.body.issues[0]).toMatchObject({ path: ['role'], code: 'last_owner' })
    const removed = await owner.call('DELETE', path)
    expect([removed.status, removed.body.issues[0].code]).toEqual([400, 'last_owner'])
    expect((await owner.call('PATCH', path, { role: 'owner', name: 'Ada' })).status).toBe(200)
  })

  test('two who leave at the same time do not both go', async () => {
    const own = await app.workspace()
    const second = await app.member(own, 'owner')
    const ids = [own.owner, second]
    const browsers = await Promise.all(
      ids.map((id) => signedIn(app, { id_space: own.id_space, id })),
    )
    const answers = await Promise.all(
      browsers.map((browser, at) => browser.call('DELETE', `/rest/members/${ids[at]}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('a member', () => {
  test('can be changed, and only what is sent changes', async () => {
    const id = await app.member(space)
    const change = (body: object) => admin.call('PATCH', `/rest/members/${id}`, body)
    expect((await change({ name: ' Tom ' })).body).toMatchObject({ name: 'Tom', role: 'write' })
    expect((await change({ role: 'read' })).body).toMatchObject({ name: 'Tom', role: 'read' })
    expect((await change({})).body).toMatchObject({ name: 'Tom', role: 'read' })
    expect((await change({ name: '' })).status).toBe(400)
  })

  test('who is removed is out at once: sessions, keys, links, password', async () => {
    const id = await app.member(space, 'admin')
    const browser = await signedIn(app, member(id))
    const key = await app.key(space, 'read', id)
    expect((await app.as(key).get('/me')).status).toBe(200)
    const token = await linkTo(app, member(id))
    const { status, body } = await admin.call('DELETE', `/rest/members/${id}`)
    expect([status, body]).toEqual([200, 'Member removed'])
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
    expect((await app.as(key).get('/me')).status).toBe(401)
    expect((await openBrowser(app).call('POST', '/session/link', { token })).status).toBe(404)
    expect((await admin.call('DELETE', `/rest/members/${id}`)).status).toBe(404)
  })

  test('gets a link to set a new password', async () => {
    const id = await app.member(space)
    const { body } = await admin.call('POST', `/rest/members/${id}/link`)
    expect(body).toMatchObject({ purpose: 'reset', link: expect.stringContaining('/#reset=rl_') })
    const reset = { token: tokenOf(body.link), password: 'a fine long sentence' }
    const browser = openBrowser(app)
    expect((await browser.call('POST', '/session/link', reset)).status).toBe(200)
    expect((await browser.call('GET', '/rest/me')).body.id).toBe(id)
  })
})

describe('the sessions of a member', () => {
  const sessionsOf = (by: Browser, id: string) => by.call('GET', `/rest/members/${id}/sessions`)
  const end = (by: Browser, id: string) => by.call('DELETE', `/rest/sessions/${id}`)

  test('are seen and ended by an admin, at once, and that stands in the audit log', async () => {
    const id = await app.member(space)
    const theirs = await signedIn(app, member(id))
    const { status, body } = await sessionsOf(admin, id)
    expect([status, body.length, Object.keys(body[0]).sort()]).toEqual([
      ...[200, 1],
      ['created_at', 'device', 'expires_at', 'id', 'last_used_at'],
    ])
    expect((await theirs.call('GET', '/rest/me')).status).toBe(200)
    expect((await end(admin, body[0].id)).body).toBe('Session ended')
    expect((await theirs.call('GET', '/rest/me')).status).toBe(401)
    expect((await sessionsOf(admin, id)).body).toEqual([])
    expect((await end(admin, body[0].id)).status).toBe(404)
    const [entry] = (await admin.call('GET', '/rest/audit')).body.entries
    expect(entry).toMatchObject({
      action: 'session.ended',
      about: { session: body[0].id, id_member: id },
    })
  })

  test('of an owner are for owners only; a key sees and ends none', async () => {
    expect((await sessionsOf(admin, space.owner)).status).toBe(403)
    const [own] = (await sessionsOf(owner, space.owner)).body
    expect((await end(admin, own.id)).status).toBe(403)
    expect((await end(reader, own.id)).status).toBe(403)
    expect((await owner.call('GET', '/rest/me')).status).toBe(200)
    expect((await space.get(`/members/${space.owner}/sessions`)).status).toBe(403)
    expect((await space.remove(`/sessions/${own.id}`)).status).toBe(403)
    const [key] = (await space.get('/keys')).body
    expect((await end(owner, key.id)).status).toBe(404)
  })
})

test('a role that is lowered counts at once', async () => {
  const id = await app.member(space, 'admin')
  const browser = await signedIn(app, member(id))
  expect((await browser.call('GET', '/rest/keys')).status).toBe(200)
  await admin.call('PATCH', `/rest/members/${id}`, { role: 'read' })
  expect((await browser.call('GET', '/rest/keys')).status).toBe(403)
})

describe('the workspace', () => {
  test('can get another name, time zone and currency', async () => {
    const change = (body: object) => admin.call('PATCH', '/rest/workspace', body)
    const wanted = { name: 'North', time_zone: 'Europe/Paris', currency: 'EUR' }
    const { status, body } = await change(wanted)
    const { id_space } = space
    expect([status, body]).toEqual([200, { id_space, ...wanted, is_new: false }])
    expect((await change({})).body).toEqual(body)
    for (const wrong of [
      { time_zone: 'Mars/Olympus' },
      { name: ' ' },
      { name: 5 },
      { currency: 'XXX' },
    ]) {
      expect((await change(wrong)).status).toBe(400)
    }
    expect((await reader.call('GET', '/rest/me')).body.workspace).toEqual(body)
  })

  test.each(['AET', 'SystemV/PST8', 'posix/UTC', 'Factory', '+03:00', 'UTC+3', ''])(
    'cannot get the time zone %j, which Node or PostgreSQL does not know',
    async (time_zone) => {
      const { status, body } = await admin.call('PATCH', '/rest/workspace', { time_zone })
      expect([status, body.issues?.[0]]).toMatchObject([400, { path: ['time_zone'] }])
      const figures = await reader.call('POST', '/rest/leads/stats', {
        filter: {},
        group_by: 'week',
      })
      expect(figures.status).toBe(200)
    },
  )
})

test('GET /me says that a key is a key', async () => {
  const { body } = await app.as(space.key).get('/me')
  expect(body).toMatchObject({ way: 'api', session: null, has_password: false })
})

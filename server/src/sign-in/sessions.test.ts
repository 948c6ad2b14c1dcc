// Sessions of the page: what the cookie is, when it counts, and when it ends.
import { beforeAll, describe, expect, test } from 'vitest'
import { firefox, linkTo, openBrowser, signedIn } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { run } from '../db/sql.ts'

const app = service({ config: { rateLimit: 1_000 } })
const short = service({ config: { sessionMs: 24 * 60 * 60_000 } })
const proxied = service({ config: { trustProxy: ['127.0.0.0/8'] } })
const named = service({ config: { publicUrl: 'https://crm.example.com' } })
const namedPlainly = service({ config: { publicUrl: 'http://crm.lan' } })
let space: Workspace
const owner = () => ({ id_space: space.id_space, id: space.owner })
beforeAll(async () => {
  space = await app.workspace()
})

const day = 24 * 60 * 60_000

describe('the cookie', () => {
  async function cookieOf(at: typeof app, headers: Record<string, string> = {}) {
    const { id_space, owner } = await at.workspace()
    const token = await linkTo(at, { id_space, id: owner })
    const answer = await openBrowser(at).call('POST', '/session/link', { token }, headers)
    expect(answer.status).toBe(200)
    return answer.headers.getSetCookie()
  }

  test('cannot be read by scripts, is sent to this site only, and has the port in its name', async () => {
    const [cookie = '', ...more] = await cookieOf(app)
    expect(more).toEqual([])
    const { port } = new URL(app.url)
    const [pair = '', ...attributes] = cookie.split('; ')
    expect(pair).toMatch(new RegExp(`^rapport-${port}=rs_[\\w-]{43}$`))
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=34560000'])
  })

  test('is bound to the host and to TLS behind a proxy with TLS', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'crm.example.com' }
    const [cookie = ''] = await cookieOf(proxied, headers)
    expect(cookie).toMatch(/^__Host-rapport=rs_[\w-]{43}; /)
    expect(cookie).toMatch(/; Secure$/)
    // The browser's own word counts as well, if the proxy says nothing.
    const host = new URL(app.url).host
    const [told = ''] = await cookieOf(app, { Origin: `https://${host}` })
    expect(told).toMatch(/^__Host-rapport-\d+=/)
    expect(told).toMatch(/; Secure$/)
    // The word of a proxy that is not trusted, or of another site, does not.
    const forged = { ...headers, Origin: 'https://evil.example' }
    expect((await cookieOf(app, forged))[0]).toMatch(/^rapport-\d+=.*Max-Age=\d+$/)
  })

  test('is bound to TLS behind a proxy that passes no header on, if PUBLIC_URL is where the browser is', async () => {
    const [cookie = ''] = await cookieOf(named, { Origin: 'https://crm.example.com' })
    expect(cookie).toMatch(/^__Host-rapport-\d+=rs_[\w-]{43}; .*; Secure$/)
    const [other = ''] = await cookieOf(named, { Origin: 'https://evil.example' })
    expect(other).toMatch(/^rapport-\d+=.*Max-Age=\d+$/)
  })

  test('of the plain name is not ours over TLS: a neighboring host can set it', async () => {
    const { id_space, owner } = await proxied.workspace()
    const browser = await signedIn(proxied, { id_space, id: owner })
    const [[, session] = []] = browser.cookies
    const headers = { 'X-Forwarded-Proto': 'https', 'Sec-Fetch-Site': 'same-origin' }
    const me = (cookie: string) =>
      proxied.request('/rest/me', { headers: { ...headers, Cookie: cookie } })
    const { port } = new URL(proxied.url)
    expect((await me(`rapport-${port}=${session}`)).status).toBe(401)
    expect((await me(`__Host-rapport-${port}=${session}`)).status).toBe(200)
  })
})

test('two cookies of one name count as none: one of them is of another service', async () => {
  const browser = await signedIn(app, owner())
  const [[name, session] = []] = browser.cookies
  for (const Cookie of [`${name}=other; ${name}=${session}`, `${name}=${session}; ${name}=other`]) {
    expect((await browser.call('GET', '/rest/me', undefined, { Cookie })).status).toBe(401)
  }
})

describe('a session', () => {
  test('works below /rest like a key, with the rights of its member', async () => {
    const browser = await signedIn(app, owner())
    const { status, body } = await browser.call('GET', '/rest/me')
    expect([status, body.id]).toEqual([200, space.owner])
    const body1 = { name: 'Warm' }
    const headers = { 'Idempotency-Key': 'once' }
    const tag = await browser.call('POST', '/rest/tags', body1, headers)
    const again = await browser.call('POST', '/rest/tags', body1, headers)
    expect(again.body).toEqual(tag.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBe(997)
  })

  test('of a read-only member cannot write', async () => {
    const id = await app.member(space, 'read')
    const browser = await signedIn(app, { id_space: space.id_space, id })
    expect((await browser.call('GET', '/rest/tags')).status).toBe(200)
    const refused = await browser.call('POST', '/rest/tags', { name: 'Warm' })
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  const requests: [what: string, headers: Record<string, string>, status: number][] = [
    ['our own page', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['a neighboring host', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, 401],
    ['no browser', {}, 401],
    ['our own page in an older browser', { Origin: 'own' }, 200],
    ['another site in an older browser', { Origin: 'https://evil.example' }, 401],
    ['another port', { Origin: 'http://127.0.0.1:1' }, 401],
    ['a sandboxed page', { Origin: 'null' }, 401],
    ['another site that names our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'own' }, 401],
  ]
  test.each(requests)('counts by where the request comes from: %s', async (_what, sent, status) => {
    const browser = await signedIn(app, owner())
    const [[name, session] = []] = browser.cookies
    const headers: Record<string, string> = { ...sent, Cookie: `${name}=${session}` }
    if (headers.Origin === 'own') headers.Origin = app.url
    for (const [method, path] of [
      ['GET', '/rest/me'],
      ['POST', '/rest/leads/list'],
      ['GET', '/session/list'],
    ] as const) {
      expect((await app.request(path, { method, headers })).status, path).toBe(status)
    }
  })

  // Without TLS, browsers send no Sec-Fetch-Site.
  test.each([
    ['Origin', 'http://crm.lan', 200],
    ['Referer', 'http://crm.lan/leads', 200],
    ['Origin', 'http://evil.example', 401],
    ['Origin', 'http://crm.lan.evil.example', 401],
  ])('counts for %s %s behind a proxy that passes no Host on: %i', async (name, sent, status) => {
    const { id_space, owner } = await namedPlainly.workspace()
    const { cookies } = await signedIn(namedPlainly, { id_space, id: owner })
    const Cookie = [...cookies].map((pair) => pair.join('=')).join()
    const answer = await namedPlainly.request('/rest/me', { headers: { Cookie, [name]: sent } })
    expect(answer.status).toBe(status)
  })

  test('counts only if no key is sent', async () => {
    const browser = await signedIn(app, owner())
    const other = await app.workspace()
    const { body } = await browser.call('GET', '/rest/me', undefined, { 'X-API-KEY': other.key })
    expect(body.id_space).toBe(other.id_space)
    const wrong = { Authorization: 'Bearer wrong' }
    expect((await browser.call('GET', '/rest/me', undefined, wrong)).status).toBe(401)
  })

  test('is no key, and a key is no session', async () => {
    const browser = await signedIn(app, owner())
    const [[name = '', session = ''] = []] = browser.cookies
    expect((await app.as(session).get('/me')).status).toBe(401)
    browser.cookies.set(name, space.key)
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
    const refused = await app.request('/session/list', { headers: { 'X-API-KEY': space.key } })
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('is stored as a hash, and is not in the list of keys', async () => {
    const browser = await signedIn(app, owner())
    const [[, session = ''] = []] = browser.cookies
    const rows = await run(app.db)`select * from api_key where id_space = ${space.id_space}`
    expect(rows.some(({ kind }) => kind === 'session')).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(session.slice(3))
  })

  test('ends 30 days after its last use', async () => {
    const browser = await signedIn(app, owner())
    app.clock.advance(29 * day)
    expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    app.clock.advance(29 * day)
    expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    const [mine] = (await browser.call('GET', '/session/list')).body
    expect(Date.parse(mine.expires_at) - app.clock.now.getTime()).toBe(30 * day)
    app.clock.advance(30 * day)
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
  })

  test('ends 90 days after its sign-in, however often it was used or confirmed', async () => {
    const browser = await signedIn(app, owner())
    const started = app.clock.now.getTime()
    for (let weeks = 0; weeks < 12; weeks++) {
      app.clock.advance(7 * day)
      expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    }
    const [mine] = (await browser.call('GET', '/session/list')).body
    expect(Date.parse(mine.expires_at) - started).toBe(90 * day)
    app.clock.advance(6 * day - 1)
    expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    app.clock.advance(1)
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
  })

  test('ends earlier if SESSION_DAYS says so, also one that began before', async () => {
    const { id_space, owner: id } = await short.workspace()
    const browser = await signedIn(short, { id_space, id })
    expect((await browser.call('GET', '/session/list')).body[0].expires_at).toBe(
      new Date(short.clock.now.getTime() + day).toISOString(),
    )
    await run(short.db)`update api_key set expires_at = '2030-01-01' where kind = 'session'`
    short.clock.advance(day)
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
  })

  test('is listed with device and last use, and can be ended alone, at once', async () => {
    const id = await app.member(space, 'write')
    const member = { id_space: space.id_space, id }
    const [here, there] = [await signedIn(app, member), await signedIn(app, member)]
    app.clock.advance(60_000)
    expect((await there.call('GET', '/rest/me')).status).toBe(200)
    const used = app.clock.now.toISOString()
    const { body: sessions } = await here.call('GET', '/session/list')
    expect(sessions).toHaveLength(2)
    for (const one of sessions) {
      expect(Object.keys(one).sort()).toEqual(
        ['created_at', 'device', 'expires_at', 'id', 'is_current', 'last_used_at'].sort(),
      )
      expect(one.device).toBe('Firefox on Linux')
    }
    const other = sessions.find((one: { is_current: boolean }) => !one.is_current)
    expect(other.last_used_at).toBe(used)
    const ended = await here.call('DELETE', `/session/${other.id}`)
    expect([ended.status, ended.body]).toEqual([200, 'Session ended'])
    expect((await there.call('GET', '/rest/me')).status).toBe(401)
    expect((await here.call('GET', '/session/list')).body).toHaveLength(1)
    expect((await here.call('DELETE', `/session/${other.id}`)).status).toBe(404)
  })

  test('of another member, or a key, cannot be ended', async () => {
    const mine = await signedIn(app, owner())
    const other = await app.workspace()
    const theirs = await signedIn(app, { id_space: other.id_space, id: other.owner })
    const [session] = (await theirs.call('GET', '/session/list')).body
    const [key] = await run(
      app.db,
    )`select id from api_key where id_space = ${space.id_space} and kind = 'key'`
    for (const id of [session.id, key?.id, 'x']) {
      expect((await mine.call('DELETE', `/session/${id}`)).status).toBe(404)
    }
    app.clock.advance(5_000)
    expect((await theirs.call('GET', '/rest/me')).status).toBe(200)
    expect((await app.as(space.key).get('/me')).status).toBe(200)
  })

  test('ends when its member signs out, and the cookie goes', async () => {
    const browser = await signedIn(app, owner())
    const before = new Map(browser.cookies)
    const { status, body } = await browser.call('POST', '/session/end')
    expect([status, body]).toEqual([200, 'Signed out'])
    expect(browser.cookies.size).toBe(0)
    for (const [name, value] of before) browser.cookies.set(name, value)
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
  })

  test('is new at each sign-in: one that was in the browser before is not used, and ends', async () => {
    const attacker = await signedIn(app, { id_space: space.id_space, id: await app.member(space) })
    const [[name = '', planted = ''] = []] = attacker.cookies
    const victim = openBrowser(app)
    victim.cookies.set(name, planted)
    await victim.call('POST', '/session/link', { token: await linkTo(app, owner()) })
    expect(victim.cookies.get(name)).not.toBe(planted)
    expect((await victim.call('GET', '/rest/me')).body.id).toBe(space.owner)
    expect((await attacker.call('GET', '/rest/me')).status).toBe(401)
  })

  test('loses its rights with its member', async () => {
    const id = await app.member(space, 'admin')
    const browser = await signedIn(app, { id_space: space.id_space, id })
    await run(
      app.db,
    )`update member set role = 'read' where id_space = ${space.id_space} and id = ${id}`
    app.clock.advance(5_000)
    expect((await browser.call('POST', '/rest/tags', { name: 'Warm' })).status).toBe(403)
  })
})

test('the OpenAPI document takes a session like a key, and is served without one that has ended', async () => {
  const { body: list } = await space.post('/lists', { name: 'Fair' })
  const browser = await signedIn(app, owner())
  const own = await browser.call('GET', '/openapi.json')
  expect(JSON.stringify(own.body)).toContain(list.id)
  await browser.call('POST', '/session/end')
  const [[name = ''] = []] = (await signedIn(app, owner())).cookies
  browser.cookies.set(name, 'rs_ended')
  const plain = await browser.call('GET', '/openapi.json')
  expect(plain.status).toBe(200)
  expect(JSON.stringify(plain.body)).not.toContain(list.id)
})

test('another site can neither sign in nor sign out', async () => {
  const browser = await signedIn(app, owner())
  const token = await linkTo(app, owner())
  const site = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  for (const [method, path, body] of [
    ['POST', '/session/link', { token }],
    ['POST', '/session/link/look', { token }],
    ['POST', '/session/password', { email: 'a@b.example', password: 'x' }],
    ['PATCH', '/session/password', { password: 'a new password' }],
    ['POST', '/session/end', undefined],
  ] as const) {
    const { status, headers } = await browser.call(method, path, body, site)
    expect([401, 403], path).toContain(status)
    expect(headers.getSetCookie(), path).toEqual([])
  }
  expect((await browser.call('GET', '/rest/me')).status).toBe(200)
  expect((await browser.call('POST', '/session/link', { token })).status).toBe(200)
})

test.each([
  [firefox, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'Unknown device'],
  ['<script>alert(1)</script>', 'Unknown device'],
])('the device of %s', async (agent, device) => {
  const browser = openBrowser(app)
  const token = await linkTo(app, owner())
  await browser.call('POST', '/session/link', { token }, { 'User-Agent': agent })
  const { body } = await browser.call('GET', '/session/list')
  expect(body.find((one: { is_current: boolean }) => one.is_current).device).toBe(device)
})

describe('the profile', () => {
  const jpeg = (bytes = 100) =>
    `data:image/jpeg;base64,${Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(bytes)]).toString('base64')}`

  test('name, time zone and picture of a member, who may only read', async () => {
    const id = await app.member(space, 'read')
    const browser = await signedIn(app, { id_space: space.id_space, id })
    const change = (body: object) => browser.call('PATCH', '/session/profile', body)
    const wanted = { name: ' Rita ', time_zone: 'Asia/Tokyo', picture: jpeg() }
    expect((await change(wanted)).status).toBe(200)
    const me = async () => (await browser.call('GET', '/rest/me')).body
    const { picture, ...rest } = await me()
    expect(rest).toMatchObject({ name: 'Rita', time_zone: 'Asia/Tokyo', role: 'read' })
    const shown = await browser.call('GET', `/session/picture/${picture}`)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(shown.headers.get('cache-control')).toContain('immutable')
    // Others see it, but only those of the workspace.
    expect((await space.get('/members')).body).toContainEqual(expect.objectContaining({ picture }))
    const stranger = await app.workspace()
    const other = await signedIn(app, { id_space: stranger.id_space, id: stranger.owner })
    expect((await other.call('GET', `/session/picture/${picture}`)).status).toBe(404)
    for (const wrong of [
      ...[{ name: ' ' }, { time_zone: 'Mars' }, { picture: 'data:image/png;base64,AAAA' }],
      { picture: jpeg(10_240) },
    ]) {
      expect((await change(wrong)).status, JSON.stringify(wrong).slice(0, 60)).toBe(400)
    }
    expect((await change({ time_zone: null, picture: null })).status).toBe(200)
    expect(await me()).toMatchObject({ name: 'Rita', time_zone: null, picture: null })
    expect((await browser.call('GET', `/session/picture/${picture}`)).status).toBe(404)
  })

  test('a new email address needs a person, and is nobody else’s', async () => {
    const id = await app.member(space, 'write')
    const browser = await signedIn(app, { id_space: space.id_space, id })
    const change = (email: string) => browser.call('PATCH', '/session/email', { email })
    const members: { id: string; email: string }[] = (await space.get('/members')).body
    const taken = members.find((one) => one.id === space.owner)?.email ?? ''
    expect((await change(taken)).body.issues).toMatchObject([{ path: ['email'], code: 'taken' }])
    expect((await change('nobody')).status).toBe(400)
    expect((await change(' Rita@North.example ')).status).toBe(200)
    expect((await browser.call('GET', '/rest/me')).body.email).toBe('rita@north.example')
    app.clock.advance(16 * 60_000)
    expect((await change('other@north.example')).body.issues).toMatchObject([
      { code: 'sign_in_again' },
    ])
  })
})

// OpenID Connect, with a real provider.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { atProvider, begin, fromProvider, here, pathOf, signIn } from '../../test/openid-browser.ts'
import { openidSettings, startOpenidProvider } from '../../test/openid-provider.ts'
import { codeAt, stepAt } from '../access/totp.ts'
import { run } from '../db/sql.ts'

const userinfo = await startOpenidProvider()
const inToken = await startOpenidProvider({ inIdToken: true })
const away = await startOpenidProvider()
away.away = true
afterAll(async () => {
  await Promise.all([userinfo.close(), inToken.close(), away.close()])
})

const settings = openidSettings
const app = service({ config: settings(userinfo) })
const open = service({ config: settings(inToken, { domains: ['example.org'], role: 'write' }) })
const late = service({ config: settings(away) })
const without = service()
let space: Workspace
let email: string
beforeAll(async () => {
  userinfo.allow(app.url)
  inToken.allow(open.url)
  away.allow(late.url)
  space = await app.workspace()
  const { body } = await space.get('/members')
  email = body[0].email
})

test('a member with a verified email address is signed in, in a browser that began it', async () => {
  userinfo.person = { email: email.toUpperCase(), email_verified: true }
  const browser = openBrowser(app)
  const start = new URL((await begin(browser)) ?? '')
  expect(start.origin).toBe(userinfo.issuer)
  expect(Object.fromEntries(start.searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    state: expect.stringMatching(/.{30}/),
    nonce: expect.stringMatching(/.{30}/),
    redirect_uri: `${app.url}/session/openid/return`,
  })
  expect(await signIn(browser)).toBe('/')
  expect([...browser.cookies.keys()]).toEqual([`rapport-${new URL(app.url).port}`])
  const { body } = await browser.call('GET', '/rest/me')
  expect(body).toMatchObject({ id: space.owner, way: 'web', has_password: false })
})

test('the cookie of the way there is for scripts as invisible as the session', async () => {
  const answer = await openBrowser(app).call('GET', '/session/openid', undefined, here)
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^rapport-openid-\d+=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
})

test.each([
  ['is not verified', { email_verified: false }],
  ['is not said to be verified', {}],
  ['is verified as a text', { email_verified: 'true' as never }],
])('an address that %s does not count', async (_what, claims) => {
  userinfo.person = { email, ...claims }
  const browser = openBrowser(app)
  expect(await signIn(browser)).toBe('/#sign-in-error=refused')
  expect(browser.cookies.size).toBe(0)
})

test('somebody else is refused, and is no member afterwards', async () => {
  userinfo.person = { email: 'eve@example.org', email_verified: true }
  expect(await signIn(openBrowser(app))).toBe('/#sign-in-error=refused')
  expect((await space.get('/members')).body).toHaveLength(1)
})

test('a second factor is asked for where the workspace requires it, not otherwise', async () => {
  userinfo.person = { email, email_verified: true }
  const require = (rule: string) =>
    run(app.db)`update space set second_factor = ${rule} where id_space = ${space.id_space}`
  await require('admins')
  const browser = openBrowser(app)
  expect(await signIn(browser)).toBe('/#sign-in-step=enrol')
  expect((await browser.call('GET', '/rest/me')).status).toBe(401)
  expect((await browser.call('GET', '/session/step')).body).toMatchObject({ step: 'enrol', email })
  const { ticket, secret } = (await browser.call('POST', '/session/step/app/setup')).body
  const code = codeAt(secret, stepAt(app.clock.now))
  expect((await browser.call('POST', '/session/step/app', { ticket, code })).status).toBe(200)
  expect((await browser.call('GET', '/rest/me')).status).toBe(200)
  expect(await signIn(openBrowser(app))).toBe('/#sign-in-step=verify')
  await require('optional')
  expect(await signIn(openBrowser(app))).toBe('/')
})

test('who cancels at the provider is told', async () => {
  userinfo.person = undefined
  expect(await signIn(openBrowser(app))).toBe('/#sign-in-error=refused')
})

describe('the way back', () => {
  test('works once, and only in the browser that began', async () => {
    userinfo.person = { email, email_verified: true }
    const browser = openBrowser(app)
    const back = pathOf(await atProvider((await begin(browser)) ?? ''))
    const cookies = new Map(browser.cookies)
    const other = openBrowser(app)
    const stolen = await other.call('GET', back, undefined, fromProvider)
    expect(stolen.headers.get('location')).toBe('/#sign-in-error=expired')
    expect(other.cookies.size).toBe(0)
    const own = await browser.call('GET', back, undefined, fromProvider)
    expect(own.headers.get('location')).toBe('/')
    const again = await browser.call('GET', back, undefined, fromProvider)
    expect(again.headers.get('location')).toBe('/#sign-in-error=expired')
    // Not even with the cookie, because the code is used up.
    for (const [name, value] of cookies) other.cookies.set(name, value)
    const repeated = await other.call('GET', back, undefined, fromProvider)
    expect(repeated.headers.get('location')).toBe('/#sign-in-error=unavailable')
    expect(other.cookies.size).toBe(0)
  })

  test('of another sign-in does not count: state, nonce and verifier belong together', async () => {
    userinfo.person = { email, email_verified: true }
    const [mine, theirs] = [openBrowser(app), openBrowser(app)]
    const back = await atProvider((await begin(theirs)) ?? '')
    await begin(mine)
    const mixed = await mine.call('GET', pathOf(back), undefined, fromProvider)
    expect(mixed.headers.get('location')).toBe('/#sign-in-error=expired')
    // With the state of the one and the code of the other, the provider refuses the verifier.
    const state = new URL((await begin(mine)) ?? '').searchParams.get('state') ?? ''
    const forged = new URL(back)
    forged.searchParams.set('state', state)
    const answer = await mine.call('GET', pathOf(forged.href), undefined, fromProvider)
    expect(answer.headers.get('location')).toBe('/#sign-in-error=unavailable')
    expect(mine.cookies.size).toBe(0)
  })
})

test('people of a listed domain become members of the first workspace when they first sign in', async () => {
  const first = await open.workspace()
  open.clock.advance(1_000)
  await open.workspace()
  inToken.person = { email: 'tom@EXAMPLE.org', email_verified: true, name: 'Tom\nReed' }
  const browsers = [openBrowser(open), openBrowser(open)]
  const answers = await Promise.all(browsers.map((browser) => signIn(browser)))
  expect(answers).toEqual(['/', '/'])
  for (const browser of browsers) {
    const { body } = await browser.call('GET', '/rest/me')
    expect(body).toMatchObject({ name: 'Tom Reed', role: 'write', id_space: first.id_space })
  }
  expect((await first.get('/members')).body).toHaveLength(2)
  for (const email of ['tom@example.com', 'tom@sub.example.org', 'tom@example.org.evil.example']) {
    inToken.person = { email, email_verified: true }
    expect(await signIn(openBrowser(open))).toBe('/#sign-in-error=refused')
  }
})

test('an invited member who signs in this way has joined', async () => {
  const { body } = await (await app.person(space)).post('/members', { email: 'ann@example.com' })
  userinfo.person = { email: 'ann@example.com', email_verified: true }
  const browser = openBrowser(app)
  expect(await signIn(browser)).toBe('/')
  expect((await browser.call('GET', '/rest/me')).body.id).toBe(body.id)
  const token = body.link.slice(body.link.indexOf('=') + 1)
  expect((await browser.call('POST', '/session/link/look', { token })).status).toBe(404)
})

test('to confirm, the provider asks again, and one that did not is refused', async () => {
  userinfo.person = { email, email_verified: true }
  const browser = openBrowser(app)
  const start = async () => {
    const path = `/session/openid?space=${space.id_space}&again`
    const { headers } = await browser.call('GET', path, undefined, here)
    return new URL(headers.get('location') ?? '')
  }
  const finish = async (address: URL) => {
    const back = pathOf(await atProvider(address.href))
    return (await browser.call('GET', back, undefined, fromProvider)).headers.get('location')
  }
  const address = await start()
  expect(address.searchParams.get('prompt')).toBe('login')
  expect(await finish(address)).toBe('/')
  const silent = await start()
  for (const name of ['prompt', 'max_age']) silent.searchParams.delete(name)
  expect(await finish(silent)).toBe('/#sign-in-error=unavailable')
})

test('while the provider is away everything else works, and afterwards this does', async () => {
  expect((await late.request('/session/ways')).body).toMatchObject({
    openid: { name: new URL(away.issuer).host },
  })
  const browser = openBrowser(late)
  expect(await begin(browser)).toBe('/#sign-in-error=unavailable')
  const own = await late.workspace()
  expect((await own.get('/me')).status).toBe(200)
  away.away = false
  away.person = { email: (await own.get('/me')).body.email, email_verified: true }
  const back = await atProvider((await begin(browser)) ?? '')
  away.away = true
  const lost = await browser.call('GET', pathOf(back), undefined, fromProvider)
  expect(lost.headers.get('location')).toBe('/#sign-in-error=unavailable')
  away.away = false
  expect(await signIn(browser)).toBe('/')
})
test('without settings there is no such way', async () => {
  const { body } = await without.request('/session/ways')
  expect(body).toEqual({ password: false, openid: null, passkey: false, mail: false })
  for (const path of ['/session/openid', '/session/openid/return?code=x&state=y']) {
    expect((await without.request(path)).status).toBe(404)
  }
})

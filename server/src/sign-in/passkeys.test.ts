// Passkeys: as the second factor, and alone.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Authenticator, type Odd } from '../../test/authenticator.ts'
import { type Browser, linkTo, openBrowser, signedIn } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'

const app = service()
const outside = service({ config: { publicUrl: 'https://crm.example.com', host: '0.0.0.0' } })
const password = 'a fine long sentence'
let space: Workspace
let member: { id_space: string; id: string }
let email: string
let origin: string

beforeAll(async () => {
  space = await app.workspace()
  origin = app.url.replace('127.0.0.1', 'localhost')
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  member = { id_space: space.id_space, id: await app.member(space) }
  email = `${member.id}@example.com`
})

const atLocalhost = () => ({ Host: new URL(origin).host })
const call = (browser: Browser, method: string, path: string, body?: unknown) =>
  browser.call(method, `/session${path}`, body, atLocalhost())
const isIn = async (browser: Browser) =>
  (await browser.call('GET', '/rest/me', undefined, atLocalhost())).status === 200

async function addPasskey(
  browser: Browser,
  passkey = new Authenticator(origin),
  odd: Odd = {},
  path = '/factors',
) {
  const { body: ask } = await call(browser, 'POST', `${path}/passkeys/options`)
  const credential = passkey.create(ask, odd)
  const answer = await call(browser, 'POST', `${path}/passkeys`, { credential })
  return { answer, passkey, ask, credential }
}

/** The member with a password and a passkey. */
async function withPasskey() {
  const browser = openBrowser(app)
  const token = await linkTo(app, member, 'reset')
  await call(browser, 'POST', '/link', { token, password })
  const { answer, passkey } = await addPasskey(browser)
  expect(answer.status).toBe(200)
  return { browser, passkey, recovery: answer.body.recovery_codes as string[] }
}

async function afterPassword(): Promise<Browser> {
  const browser = openBrowser(app)
  expect((await call(browser, 'POST', '/password', { email, password })).body.next).toBe('verify')
  return browser
}

/** Asks for a challenge, and sends what the passkey signs. */
async function use(passkey: Authenticator, browser: Browser, path: string, odd: Odd = {}) {
  const { body: ask } = await call(browser, 'POST', `${path}/options`)
  const credential = passkey.get(ask, odd)
  const answer = await call(browser, 'POST', path, { credential })
  return { ask, credential, answer, status: answer.status }
}

test('signs in alone, without another question', async () => {
  const { passkey } = await withPasskey()
  const browser = openBrowser(app)
  const { answer, ask } = await use(passkey, browser, '/passkey')
  expect([answer.status, answer.body.id, answer.body.next]).toEqual([200, member.id, null])
  expect([ask.userVerification, ask.allowCredentials]).toEqual(['required', []])
  expect(await isIn(browser)).toBe(true)
  const { entries } = (await space.get('/audit')).body
  expect(entries[0]).toMatchObject({ action: 'session.created', about: { way: 'passkey' } })
  expect((await call(browser, 'GET', '/ways')).body.passkey).toBe(true)
})

test('is the second step after the password', async () => {
  const { passkey, recovery } = await withPasskey()
  expect(recovery).toHaveLength(10)
  const browser = await afterPassword()
  const { body } = await call(browser, 'GET', '/step')
  expect(body).toMatchObject({ step: 'verify', passkey: true, app: false })
  // A security key without a PIN is enough beside a password.
  const { status, ask } = await use(passkey, browser, '/step/passkey', { verified: false })
  expect(status).toBe(200)
  expect(ask.allowCredentials).toMatchObject([{ id: passkey.id.toString('base64url') }])
  expect(await isIn(browser)).toBe(true)
})

describe('does not sign in', () => {
  test.each<[string, Odd]>([
    ['without a PIN or a finger', { verified: false }],
    ['for another page', { origin: 'http://localhost:1' }],
    ['for another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['with a made-up challenge', { challenge: 'AAAA' }],
    ['for nobody', { userHandle: '' }],
    ['for somebody else', { userHandle: Buffer.alloc(32, 7).toString('base64url') }],
  ])('%s', async (_name, odd) => {
    const { passkey } = await withPasskey()
    const browser = openBrowser(app)
    expect((await use(passkey, browser, '/passkey', odd)).status).toBe(401)
    expect(await isIn(browser)).toBe(false)
    // The same passkey, used rightly, does.
    expect((await use(passkey, browser, '/passkey')).status).toBe(200)
  })

  test('twice with one signature, in another browser, or too late', async () => {
    const { passkey } = await withPasskey()
    const browser = openBrowser(app)
    const { body: ask } = await call(browser, 'POST', '/passkey/options')
    const cookies = new Map(browser.cookies)
    const credential = passkey.get(ask)
    expect((await call(openBrowser(app), 'POST', '/passkey', { credential })).status).toBe(400)
    expect((await call(browser, 'POST', '/passkey', { credential })).status).toBe(200)
    const again = openBrowser(app)
    for (const [name, value] of cookies) again.cookies.set(name, value)
    expect((await call(again, 'POST', '/passkey', { credential })).status).toBe(400)

    const { body: later } = await call(again, 'POST', '/passkey/options')
    app.clock.advance(300_000)
    const late = { credential: passkey.get(later) }
    expect((await call(again, 'POST', '/passkey', late)).status).toBe(400)
  })

  test('with a signature for another purpose', async () => {
    const { passkey } = await withPasskey()
    const browser = await afterPassword()
    const { body: ask } = await call(browser, 'POST', '/passkey/options')
    const credential = passkey.get(ask)
    expect((await call(browser, 'POST', '/step/passkey', { credential })).status).toBe(400)
  })

  test.each([{}, { id: 5 }, { id: 'x', response: null }, { id: 'x', response: { userHandle: 1 } }])(
    'with rubbish: %j',
    async (credential) => {
      const browser = openBrowser(app)
      await call(browser, 'POST', '/passkey/options')
      expect((await call(browser, 'POST', '/passkey', { credential })).status).toBe(401)
      const { browser: inside } = await withPasskey()
      await call(inside, 'POST', '/factors/passkeys/options')
      const answer = await call(inside, 'POST', '/factors/passkeys', { credential })
      expect([answer.status, answer.body.issues[0].code]).toEqual([400, 'passkey'])
    },
  )

  test("as the second step of somebody else's sign-in", async () => {
    const { passkey } = await withPasskey()
    member = { id_space: space.id_space, id: await app.member(space) }
    email = `${member.id}@example.com`
    await withPasskey()
    const browser = await afterPassword()
    expect((await use(passkey, browser, '/step/passkey')).status).toBe(400)
    expect((await use(passkey, browser, '/step/passkey', { userHandle: '' })).status).toBe(400)
    expect(await isIn(browser)).toBe(false)
  })

  test('when its count falls behind: it was copied, and the audit log says so', async () => {
    const { passkey } = await withPasskey()
    expect((await use(passkey, openBrowser(app), '/passkey', { counter: 7 })).status).toBe(200)
    expect((await use(passkey, openBrowser(app), '/passkey', { counter: 7 })).status).toBe(401)
    const { entries } = (await space.get('/audit')).body
    expect(entries[0]).toMatchObject({ action: 'passkey.copied', actor: { member: member.id } })
    expect((await use(passkey, openBrowser(app), '/passkey', { counter: 8 })).status).toBe(200)
  })
})

describe('adding one', () => {
  test('says which ones there are, and takes only what was made for this page', async () => {
    const { browser, passkey } = await withPasskey()
    for (const odd of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const { answer } = await addPasskey(browser, new Authenticator(origin), odd)
      expect(answer.status).toBe(400)
    }
    const { answer, ask, credential } = await addPasskey(browser)
    expect([answer.status, answer.body.recovery_codes]).toEqual([200, null])
    expect(ask.excludeCredentials).toMatchObject([{ id: passkey.id.toString('base64url') }])
    expect(ask.authenticatorSelection.residentKey).toBe('required')
    expect((await call(browser, 'POST', '/factors/passkeys', { credential })).status).toBe(400)
  })

  test('they have a name and a last use, and can be removed', async () => {
    const { browser, passkey } = await withPasskey()
    const list = async () => (await call(browser, 'GET', '/factors')).body.passkeys
    const [{ id, name }] = await list()
    expect(name).toBe('Firefox on Linux')
    const other = openBrowser(app)
    await use(passkey, other, '/passkey')
    expect(
      (await call(browser, 'PATCH', `/factors/passkeys/${id}`, { name: 'Laptop' })).status,
    ).toBe(200)
    expect(await list()).toMatchObject([
      { name: 'Laptop', host: 'localhost', last_used_at: app.clock.now.toISOString() },
    ])
    const stranger = await signedIn(app, { ...member, id: await app.member(space) })
    for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      expect((await call(stranger, method, `/factors/passkeys/${id}`, body)).status).toBe(404)
    }
    expect((await call(browser, 'DELETE', `/factors/passkeys/${id}`)).status).toBe(200)
    expect((await use(passkey, openBrowser(app), '/passkey')).status).toBe(401)
  })

  test('needs a name of the host that the caller cannot choose', async () => {
    const browser = await signedIn(app, member)
    const byNumber = await browser.call('POST', '/session/factors/passkeys/options')
    expect([byNumber.status, byNumber.body.issues[0].message]).toEqual([
      400,
      `Passkeys need a host name, not an IP address. Open ${origin} instead`,
    ])
    const path = '/session/factors/passkeys/options'
    for (const name of ['evil.example', 'evil.example:', '[']) {
      const headers = { Host: `${name}:${new URL(app.url).port}` }
      const elsewhere = await browser.call('POST', path, undefined, headers)
      expect([elsewhere.status, elsewhere.body.issues[0].code]).toEqual([400, 'no_passkeys'])
    }
  })
})

test('PUBLIC_URL decides the host of passkeys, whatever a request says', async () => {
  const { id_space, owner } = await outside.workspace()
  const browser = await signedIn(outside, { id_space, id: owner })
  for (const headers of [{}, { Host: 'localhost' }, { Host: 'evil.example' }]) {
    const path = '/session/passkey/options'
    expect((await openBrowser(outside).call('POST', path, undefined, headers)).body.rpId).toBe(
      'crm.example.com',
    )
  }
  const ask = async () => (await browser.call('POST', '/session/factors/passkeys/options')).body
  const send = async (at: string) => {
    const credential = new Authenticator(at).create(await ask())
    return (await browser.call('POST', '/session/factors/passkeys', { credential })).status
  }
  expect(await send('https://evil.example')).toBe(400)
  expect(await send(origin)).toBe(400)
  expect(await send('https://crm.example.com')).toBe(200)
})

// Passwords: how they are stored, refused, guessed and changed.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, linkTo, openBrowser, signedIn } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { run } from '../db/sql.ts'

let slept: number[] = []
const app = service({ sleep: async (ms) => slept.push(ms) })
const password = 'a fine long sentence'
let space: Workspace
let member: { id_space: string; id: string }
let email: string

beforeAll(async () => {
  space = await app.workspace()
})
beforeEach(async () => {
  app.clock.advance(600_000)
  slept = []
  member = { id_space: space.id_space, id: await app.member(space) }
  email = `${member.id}@example.com`
})

/** A browser in which the member has set this password. */
async function withPassword(who = member, text = password): Promise<Browser> {
  const browser = openBrowser(app)
  const token = await linkTo(app, who, 'reset')
  const { status } = await browser.call('POST', '/session/link', { token, password: text })
  expect(status).toBe(200)
  return browser
}

const signIn = (body: object, browser = openBrowser(app)) =>
  browser.call('POST', '/session/password', body)

test('the right email and password sign in, in any case of the address', async () => {
  await withPassword()
  for (const given of [email, ` ${email.toUpperCase()} `]) {
    const browser = openBrowser(app)
    const { status, body } = await signIn({ email: given, password }, browser)
    const workspaces = [{ id_space: space.id_space, name: 'Test' }]
    expect([status, body]).toEqual([200, { ...member, workspaces, next: null }])
    expect((await browser.call('GET', '/rest/me')).body.id).toBe(member.id)
  }
  expect((await openBrowser(app).call('GET', '/session/ways')).body).toEqual({
    password: true,
    openid: null,
    passkey: false,
    mail: false,
  })
})

test('an address in another spelling is the same account, and no other address is', async () => {
  const invite = async (given: string) => {
    const { body } = await (await app.person(space)).post('/members', { email: given })
    const token = body.link.slice(body.link.indexOf('=') + 1)
    const accepted = { token, name: 'Victim', password }
    expect((await openBrowser(app).call('POST', '/session/link', accepted)).status).toBe(200)
    return body.id
  }
  const victim = await invite('victimk@EXÄMPLE.com')
  const other = await invite('vİctimk@exämple.com')
  const signedInAs = async (email: string, text = password) =>
    (await signIn({ email, password: text })).body.id
  expect(await signedInAs('VICTIMK@exa\u0308mple.COM')).toBe(victim)
  expect(await signedInAs('victimk@xn--exmple-cua.com')).toBe(victim)
  expect(await signedInAs('VI\u0307CTIMK@exämple.com')).toBe(other)
  for (const email of [
    'victim\u212a',
    'vıctimk',
    'ｖictimk',
    'victímk',
    'victimß',
    'victimk\ufe0f',
  ]) {
    expect((await signIn({ email: `${email}@exämple.com`, password })).status).toBe(401)
  }
  slept = []
  // Every spelling counts as an attempt at the same account.
  for (let i = 0; i < 10; i++) await signIn({ email: 'victimk@exämple.com', password: 'wrong' })
  slept = []
  await signedInAs('VICTIMK@EXA\u0308MPLE.com')
  expect(slept).not.toEqual([])
})

test('only a salted hash of scrypt is stored', async () => {
  await withPassword()
  const other = { id_space: space.id_space, id: await app.member(space) }
  await withPassword(other)
  const rows = await run<{ hash: string }[]>(app.db)`select hash from member_password`
  for (const { hash } of rows) expect(hash).toMatch(/^scrypt\$7\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
})

test('letters composed in another way are the same password', async () => {
  await withPassword(member, 'un caf\u00e9 cr\u00e8me')
  expect((await signIn({ email, password: 'un cafe\u0301 cre\u0300me' })).status).toBe(200)
})

describe('a wrong attempt', () => {
  test('gets one answer, whether a member, a password or nothing is behind the address', async () => {
    await withPassword()
    const without = await app.member(space)
    const answers = [
      await signIn({ email, password: 'a wrong long sentence' }),
      await signIn({ email: `${without}@example.com`, password }),
      await signIn({ email: 'nobody@example.com', password }),
      await signIn({ email: '', password: '' }),
      await signIn({ email, password, id_space: '01920000-0000-7000-8000-0000000000ff' }),
      await signIn({ email, password, id_space: 'x' }),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([401, answers[0]?.body])
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  test('slows the account, for the right password too; other accounts are not slowed', async () => {
    const browser = await withPassword()
    for (let i = 0; i < 10; i++) await signIn({ email, password: 'wrong' })
    expect(slept).toEqual([])
    await signIn({ email: email.toUpperCase(), password: 'wrong' })
    // Once for the account before the check, once for the address after it.
    expect(slept).toEqual([250, 250])
    slept = []
    const change = { current: 'wrong', password: 'another long sentence' }
    expect((await browser.call('PATCH', '/session/password', change)).status).toBe(400)
    expect(slept).toEqual([500])
    expect((await signIn({ email, password })).status).toBe(200)
    expect(slept).toEqual([500, 1_000])
    slept = []
    const other = { id_space: space.id_space, id: await app.member(space) }
    await withPassword(other)
    expect((await signIn({ email: `${other.id}@example.com`, password })).status).toBe(200)
    expect(slept).toEqual([])
  })
})

describe('with the cost of production', () => {
  const costly = service({ passwordCost: undefined })
  let known: string
  beforeAll(async () => {
    const { id_space, owner: id } = await costly.workspace()
    known = `${id}@example.com`
    const token = await linkTo(costly, { id_space, id }, 'reset')
    const browser = openBrowser(costly)
    const { status } = await browser.call('POST', '/session/link', { token, password })
    expect(status).toBe(200)
  })

  test('the hash takes 32 MiB, three times', async () => {
    const rows = await run<{ hash: string }[]>(costly.db)`select hash from member_password`
    expect(rows).toEqual([{ hash: expect.stringMatching(/^scrypt\$15\$8\$3\$/) }])
  })

  test('a wrong attempt takes the same work, whether a member is behind the address or not', async () => {
    const timeOf = async (given: string) => {
      const times: number[] = []
      for (let i = 0; i < 2; i++) {
        const started = performance.now()
        await signIn({ email: given, password: 'a wrong long sentence' }, openBrowser(costly))
        times.push(performance.now() - started)
      }
      return Math.min(...times)
    }
    const [member, nobody] = [await timeOf(known), await timeOf('nobody@example.com')]
    // One hash takes a hundred milliseconds or more; without it the response would take a few.
    expect(nobody).toBeGreaterThan(member / 3)
    expect(member).toBeGreaterThan(nobody / 3)
  })
})

describe('a new password', () => {
  test.each([
    'short',
    '123456789',
    '1234567890',
    '0987654321',
    'abcdefghijkl',
    'qwertyuiop',
    'Qwertyuiop1',
    'q1w2e3r4t5y6',
    'aaaaaaaaaaaa',
    'abababababab',
    '12341234123412',
    'password123',
    'P4ssw0rd2026!',
    'Passwort!!!!',
    'Welcome2026!',
    'letmeinletmein',
    'iloveyou1234',
    'Rapport2026!',
    'Summer2026!!',
    '!!administrator',
    'x'.repeat(501),
  ])('%s is refused', async (text) => {
    const token = await linkTo(app, member, 'reset')
    const answer = await openBrowser(app).call('POST', '/session/link', { token, password: text })
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, ['password']])
  })

  test('that is the own address is refused, also with a little around it', async () => {
    await run(
      app.db,
    )`update member set email = 'tom.reed@example.com' where id_space = ${space.id_space} and id = ${member.id}`
    const token = await linkTo(app, member, 'reset')
    const set = (text: string) =>
      openBrowser(app).call('POST', '/session/link', { token, password: text })
    for (const text of ['tom.reed@example.com', 'Tom.Reed99', 'xTOM.REED@example.com1']) {
      expect((await set(text)).status).toBe(400)
    }
    expect((await set('tom.reed likes long walks')).status).toBe(200)
  })
  afterEach(() => run(app.db)`delete from member where email = 'tom.reed@example.com'`)

  test.each([
    'correct horse battery',
    'Zx9$kk!2pq',
    'eine kleine Nachtmusik',
    'пароль из слов',
    '😀😀🎈🎈🌲🌲🚗🚗🐟🐟🍋',
  ])('%s is taken', async (text) => {
    await withPassword(member, text)
  })
})

describe('a change', () => {
  const change = (browser: Browser, body: object) =>
    browser.call('PATCH', '/session/password', body)
  const next = 'another long sentence'

  test('needs the password so far, and ends the other sessions', async () => {
    const browser = await withPassword()
    const others = [await signedIn(app, member), await signedIn(app, member)]
    const stranger = await signedIn(app, { id_space: space.id_space, id: space.owner })
    for (const current of [undefined, '', 'a wrong long sentence']) {
      const { status, body } = await change(browser, {
        ...(current && { current }),
        password: next,
      })
      expect([status, body.issues[0]]).toMatchObject([400, { path: ['current'], code: 'wrong' }])
    }
    const done = await change(browser, { current: password, password: next })
    expect([done.status, done.body]).toEqual([200, 'Password changed. 2 other sessions ended'])
    app.clock.advance(5_000)
    expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    for (const other of others) expect((await other.call('GET', '/rest/me')).status).toBe(401)
    expect((await stranger.call('GET', '/rest/me')).status).toBe(200)
    expect((await signIn({ email, password })).status).toBe(401)
    expect((await signIn({ email, password: next })).status).toBe(200)
  })

  test('needs no password so far when there is none', async () => {
    const browser = await signedIn(app, member)
    const done = await change(browser, { password })
    expect([done.status, done.body]).toEqual([200, 'Password changed'])
    expect((await signIn({ email, password })).status).toBe(200)
  })

  test('to a common one is refused, and with a key it is not possible', async () => {
    const browser = await withPassword()
    const { body } = await change(browser, { current: password, password: 'password123' })
    expect(body.issues[0]).toMatchObject({ path: ['password'], code: 'password' })
    const key = await app.key(space, 'admin', member.id)
    const headers = { 'X-API-KEY': key, 'Sec-Fetch-Site': 'same-origin' }
    const refused = await app.request('/session/password', { method: 'PATCH', headers })
    expect(refused.status).toBe(403)
  })
})

// Last, because from now on every attempt takes the work of two.
test('a password belongs to one workspace; the same in two opens both', async () => {
  const second = await app.workspace()
  const there = { id_space: second.id_space, id: second.owner }
  await run(
    app.db,
  )`update member set email = ${email} where id_space = ${second.id_space} and id = ${second.owner}`
  await withPassword()
  await withPassword(there, 'another long sentence')
  const first = await signIn({ email, password })
  expect(first.body).toMatchObject({ ...member, workspaces: [{ id_space: space.id_space }] })
  const other = await signIn({ email, password: 'another long sentence' })
  expect(other.body).toMatchObject({ id_space: second.id_space, id: second.owner })

  await withPassword(there)
  const both = await signIn({ email, password })
  expect(both.body.workspaces).toHaveLength(2)
  const chosen = await signIn({ email, password, id_space: second.id_space })
  expect(chosen.body).toMatchObject({ id_space: second.id_space, id: second.owner })
})

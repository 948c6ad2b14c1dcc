// The second factor: codes of an authenticator app, recovery codes, and the step before a session begins.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, linkTo, openBrowser, signedIn } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { insertMember } from '../access/access.sql.ts'
import { findUnreadableApps } from '../access/factors.ts'
import { codeAt, stepAt } from '../access/totp.ts'
import { run } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { createSecrets } from '../secrets.ts'

const app = service()
const password = 'a fine long sentence'
let space: Workspace
let member: { id_space: string; id: string }
let email: string

beforeAll(async () => {
  space = await app.workspace()
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  member = { id_space: space.id_space, id: await app.member(space) }
  email = `${member.id}@example.com`
})

const codeNow = (secret: string, steps = 0) => codeAt(secret, stepAt(app.clock.now) + steps)
const nextCode = (secret: string) => {
  app.clock.advance(60_000)
  return codeNow(secret)
}

interface Person {
  browser: Browser
  secret: string
  recovery: string[]
}

/** The member with a password and an authenticator app. */
async function withApp(who = member): Promise<Person> {
  const browser = openBrowser(app)
  const token = await linkTo(app, who, 'reset')
  await browser.call('POST', '/session/link', { token, password })
  return addApp(browser, '/session/factors')
}

async function addApp(browser: Browser, path: string): Promise<Person> {
  const { body: setup } = await browser.call('POST', `${path}/app/setup`)
  const { ticket, secret } = setup
  const { status, body } = await browser.call('POST', `${path}/app`, {
    ticket,
    code: codeNow(secret),
  })
  expect(status).toBe(200)
  return { browser, secret, recovery: body.recovery_codes }
}

/** A browser that has given the password. */
async function afterPassword(): Promise<Browser> {
  const browser = openBrowser(app)
  const { status, body } = await browser.call('POST', '/session/password', { email, password })
  expect([status, body.next]).toEqual([200, 'verify'])
  return browser
}

const isIn = async (browser: Browser) => (await browser.call('GET', '/rest/me')).status === 200
const sendCode = (browser: Browser, code: string) =>
  browser.call('POST', '/session/step/code', { code })
const auditOf = async (action: string) =>
  (await space.get('/audit?limit=1000')).body.entries.filter(
    (entry: { action: string; actor: { member: string } }) =>
      entry.action === action && entry.actor.member === member.id,
  )

describe('after the password, the session begins with the second factor', () => {
  test('a code of the app', async () => {
    const { secret } = await withApp()
    const browser = await afterPassword()
    expect(await isIn(browser)).toBe(false)
    expect((await browser.call('GET', '/session/step')).body).toMatchObject({
      ...{ step: 'verify', email, workspace: 'Test', passkey: false, app: true },
    })
    expect((await sendCode(browser, '000000')).status).toBe(400)
    expect(await isIn(browser)).toBe(false)
    const code = nextCode(secret)
    expect((await sendCode(browser, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect([...browser.cookies.keys()].filter((name) => name.includes('step'))).toEqual([])
    const [entry] = await auditOf('session.created')
    expect(entry.about).toMatchObject({ way: 'password', second: 'app' })
  })

  test('a recovery code, once, in any writing', async () => {
    const { recovery } = await withApp()
    expect(recovery).toHaveLength(10)
    const [first = ''] = recovery
    expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    const browser = await afterPassword()
    expect((await sendCode(browser, first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect((await sendCode(await afterPassword(), first)).status).toBe(400)
    expect((await browser.call('GET', '/session/factors')).body.recovery_codes).toBe(9)
    expect(await auditOf('recovery_code.used')).toHaveLength(1)
  })

  test('also after a link of the command line', async () => {
    const { secret } = await withApp()
    const browser = openBrowser(app)
    const token = await linkTo(app, member)
    const { body } = await browser.call('POST', '/session/link', { token })
    expect([body.next, await isIn(browser)]).toEqual(['verify', false])
    expect((await sendCode(browser, nextCode(secret))).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
  })
})

test('going on in another workspace asks for the second factor there', async () => {
  const other = await app.workspace()
  const there = { id_space: other.id_space, id: newId() }
  const named = {
    name: 'Ann',
    email,
    role: 'read',
    created_at: app.clock.now.toISOString(),
  } as const
  await insertMember(app.db, { ...there, ...named })
  const { secret } = await withApp(there)
  const token = await linkTo(app, member, 'reset')
  await openBrowser(app).call('POST', '/session/link', { token, password })
  const browser = openBrowser(app)
  const { id_space } = member
  await browser.call('POST', '/session/password', { email, password, id_space })
  const { id_space: wanted } = there
  const answer = await browser.call('POST', '/session/switch', { id_space: wanted })
  expect([answer.status, answer.body.next]).toEqual([200, 'verify'])
  const where = async () => (await browser.call('GET', '/rest/me')).body.id_space
  expect(await where()).toBe(id_space)
  expect((await sendCode(browser, nextCode(secret))).status).toBe(200)
  expect(await where()).toBe(wanted)
})

describe('a code counts once', () => {
  test('not again, and no earlier one', async () => {
    const { secret } = await withApp()
    const code = nextCode(secret)
    const earlier = codeNow(secret, -1)
    expect((await sendCode(await afterPassword(), code)).status).toBe(200)
    expect((await sendCode(await afterPassword(), code)).status).toBe(400)
    expect((await sendCode(await afterPassword(), earlier)).status).toBe(400)
  })

  test('the one that set the app up does not sign in', async () => {
    const { secret } = await withApp()
    expect((await sendCode(await afterPassword(), codeNow(secret))).status).toBe(400)
  })

  test('wrong ones have the budget of wrong passwords, and many at once do not escape it', async () => {
    const { recovery } = await withApp()
    const browser = await afterPassword()
    const wrong = () => sendCode(browser, '000000')
    expect((await wrong()).status).toBe(400)
    await run(app.db)`update guess_budget set hour_used = 99 where subject like 'account:%'`
    const answers = await Promise.all(Array.from({ length: 8 }, wrong))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect((await sendCode(browser, recovery[0] ?? '')).status).toBe(429)
    expect(
      (await openBrowser(app).call('POST', '/session/password', { email, password })).status,
    ).toBe(429)
    app.clock.advance(3_600_000)
    expect((await sendCode(await afterPassword(), recovery[0] ?? '')).status).toBe(200)
  })

  test('of many requests at once, one gets in', async () => {
    const { secret, recovery } = await withApp()
    for (const code of [nextCode(secret), recovery[0] ?? '']) {
      const browsers = await Promise.all(Array.from({ length: 5 }, afterPassword))
      const answers = await Promise.all(browsers.map((browser) => sendCode(browser, code)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    }
  })
})

describe('a sign-in without its second step', () => {
  test('opens nothing else', async () => {
    await withApp()
    const browser = await afterPassword()
    const [name = '', value = ''] = [...browser.cookies][0] ?? []
    expect(name).toBe(`rapport-step-${new URL(app.url).port}`)
    expect((await browser.call('GET', '/session/list')).status).toBe(401)
    const asSession = openBrowser(app)
    asSession.cookies.set(`rapport-${new URL(app.url).port}`, value)
    expect(await isIn(asSession)).toBe(false)
    expect((await app.as(value).get('/me')).status).toBe(401)
    const rows = await run<{ hash: string }[]>(app.db)`select hash from pending_sign_in`
    expect(rows.map(({ hash }) => hash)).not.toContain(value)
  })

  test('cannot add a factor in place of showing one', async () => {
    const { secret } = await withApp()
    const browser = await afterPassword()
    const refused = await browser.call('POST', '/session/step/app/setup')
    expect(refused.status).toBe(404)
    // A ticket for the same member, made when there was no factor yet.
    const { body: setup } = await (await signedInWith(secret)).call(
      'POST',
      '/session/factors/app/setup',
    )
    const { ticket } = setup
    const code = codeNow(setup.secret)
    expect((await browser.call('POST', '/session/step/app', { ticket, code })).status).toBe(404)
    expect(await isIn(browser)).toBe(false)
  })

  test('ends after 10 minutes, and when it is given up', async () => {
    const { secret } = await withApp()
    const late = await afterPassword()
    const left = await afterPassword()
    const { cookies } = left
    const kept = new Map(cookies)
    expect((await left.call('DELETE', '/session/step')).status).toBe(200)
    for (const [name, value] of kept) cookies.set(name, value)
    expect((await sendCode(left, nextCode(secret))).status).toBe(401)
    app.clock.advance(10 * 60_000)
    expect((await sendCode(late, codeNow(secret))).status).toBe(401)
  })

  async function signedInWith(secret: string): Promise<Browser> {
    const browser = await afterPassword()
    expect((await sendCode(browser, nextCode(secret))).status).toBe(200)
    return browser
  }
})

describe('setting up', () => {
  test('the first factor ends the other sessions and comes with codes, a second one does not', async () => {
    const other = await signedIn(app, member)
    const { browser, recovery } = await withApp()
    app.clock.advance(6_000)
    expect([await isIn(other), await isIn(browser)]).toEqual([false, true])
    expect(recovery).toHaveLength(10)
    expect((await addApp(browser, '/session/factors')).recovery).toBeNull()
    const [entry] = await auditOf('factor.added')
    expect(entry.about).toEqual({ kind: 'app' })
  })

  test('needs a code of the new secret, and the ticket of the same member', async () => {
    const browser = await signedIn(app, member)
    const { body } = await browser.call('POST', '/session/factors/app/setup')
    expect(body.address).toContain(`secret=${body.secret}&issuer=Rapport%20Test`)
    const { ticket, secret } = body
    const wrong = await browser.call('POST', '/session/factors/app', { ticket, code: '123' })
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, ['code']])
    const stranger = await signedIn(app, { ...member, id: await app.member(space) })
    const code = codeNow(secret)
    expect((await stranger.call('POST', '/session/factors/app', { ticket, code })).status).toBe(400)
    expect((await browser.call('GET', '/session/factors')).body.app).toBeNull()
  })

  test('the secret and the codes are stored where nobody can read them', async () => {
    const { secret, recovery } = await withApp()
    const rows = await run<object[]>(
      app.db,
    )`select secret from member_totp where id_space = ${space.id_space}
        union all select hash from recovery_code where id_space = ${space.id_space}`
    const stored = JSON.stringify(rows)
    for (const one of [secret, ...recovery]) {
      expect(stored).not.toContain(one)
      expect(stored).not.toContain(one.replaceAll('-', ''))
    }
  })

  test('with another key the app is not readable, and a restore names its member', async () => {
    await withApp()
    const readable = await findUnreadableApps(app.db, createSecrets('a key for tests'))
    expect(readable).not.toContain(email)
    expect(await findUnreadableApps(app.db, createSecrets('another key'))).toContain(email)
    expect(await findUnreadableApps(app.db, undefined)).toContain(email)
  })

  test('new recovery codes replace the old ones; without a factor there are none', async () => {
    const { browser, recovery } = await withApp()
    const { body } = await browser.call('POST', '/session/factors/recovery-codes')
    expect(new Set([...body.recovery_codes, ...recovery]).size).toBe(20)
    expect((await sendCode(await afterPassword(), recovery[0] ?? '')).status).toBe(400)
    expect((await sendCode(await afterPassword(), body.recovery_codes[0])).status).toBe(200)
    expect((await browser.call('DELETE', '/session/factors/app')).status).toBe(200)
    const { body: after } = await browser.call('GET', '/session/factors')
    expect([after.app, after.recovery_codes]).toEqual([null, 0])
    expect((await browser.call('POST', '/session/factors/recovery-codes')).status).toBe(404)
    expect(
      (await openBrowser(app).call('POST', '/session/password', { email, password })).body.next,
    ).toBeNull()
  })
})

describe('a workspace that requires it', () => {
  let team: Workspace
  let owner: Person
  const rule = (required: string) =>
    owner.browser.call('PATCH', '/rest/workspace/second-factor', { required })

  beforeEach(async () => {
    team = await app.workspace()
    owner = await withApp({ id_space: team.id_space, id: team.owner })
    member = { id_space: team.id_space, id: await app.member(team) }
    email = `${member.id}@example.com`
  })

  test('leads members without one to set it up before anything else', async () => {
    const before = await signedIn(app, member)
    expect((await rule('everybody')).body).toEqual({ required: 'everybody', members: [team.owner] })
    expect([await isIn(before), await isIn(owner.browser)]).toEqual([false, true])

    const browser = openBrowser(app)
    const token = await linkTo(app, member)
    expect((await browser.call('POST', '/session/link', { token })).body.next).toBe('enrol')
    expect((await browser.call('GET', '/session/step')).body.step).toBe('enrol')
    expect(await isIn(browser)).toBe(false)
    const { recovery } = await addApp(browser, '/session/step')
    expect(recovery).toHaveLength(10)
    expect(await isIn(browser)).toBe(true)
    const removal = await browser.call('DELETE', '/session/factors/app')
    expect([removal.status, removal.body.issues[0].code]).toEqual([400, 'factor_required'])
    expect((await browser.call('GET', '/session/factors')).body).toMatchObject({
      ...{ is_required: true, recovery_codes: 10, app: { last_used_at: null } },
    })
  })

  test('of admins asks owners and admins, also those who become one', async () => {
    const browser = await signedIn(app, member)
    await rule('admins')
    expect(await isIn(browser)).toBe(true)
    await owner.browser.call('PATCH', `/rest/members/${member.id}`, { role: 'admin' })
    expect(await isIn(browser)).toBe(false)
    await owner.browser.call('PATCH', `/rest/members/${member.id}`, { role: 'write' })
    expect(await isIn(browser)).toBe(true)
  })

  test('cannot be made so by somebody who has none, by a key, or by a member', async () => {
    const admin = { id_space: team.id_space, id: await app.member(team, 'admin') }
    const path = '/rest/workspace/second-factor'
    const without = await (await signedIn(app, admin)).call('PATCH', path, { required: 'admins' })
    expect([without.status, without.body.issues[0].code]).toEqual([400, 'own_factor'])
    const byKey = await team.patch('/workspace/second-factor', { required: 'admins' })
    expect([byKey.status, byKey.body.issues[0].code]).toEqual([403, 'needs_person'])
    const plain = await signedIn(app, member)
    expect((await plain.call('PATCH', path, { required: 'admins' })).status).toBe(403)
    expect((await plain.call('GET', path)).status).toBe(403)
    expect((await rule('nobody')).status).toBe(400)
    expect((await team.get('/workspace/second-factor')).body.required).toBe('optional')
  })

  test('a reset, for who has lost theirs: they set up a new one', async () => {
    const { browser, recovery } = await withApp()
    await rule('everybody')
    const waiting = await afterPassword()
    const path = `/rest/members/${member.id}/second-factor`
    expect((await browser.call('DELETE', path)).status).toBe(403)
    expect((await owner.browser.call('DELETE', path)).status).toBe(200)
    expect(await isIn(browser)).toBe(false)
    expect((await sendCode(waiting, recovery[0] ?? '')).status).toBe(401)
    const again = openBrowser(app)
    const { body } = await again.call('POST', '/session/password', { email, password })
    expect(body.next).toBe('enrol')
    const { entries } = (await team.get('/audit')).body
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'factor.reset',
        about: { id: member.id, name: 'Member write' },
      }),
    )
  })

  test("only an owner resets an owner's, and only a person does", async () => {
    const admin = { id_space: team.id_space, id: await app.member(team, 'admin') }
    const path = `/members/${team.owner}/second-factor`
    expect((await (await signedIn(app, admin)).call('DELETE', `/rest${path}`)).status).toBe(403)
    expect((await team.remove(path)).body.issues[0].code).toBe('needs_person')
    expect((await team.get('/workspace/second-factor')).body.members).toEqual([team.owner])
  })
})

describe('confirming that it is you', () => {
  test('takes the second factor, and the password is not enough', async () => {
    const { browser, secret } = await withApp()
    app.clock.advance(16 * 60_000)
    const renew = () => browser.call('POST', '/session/factors/recovery-codes')
    expect((await renew()).body.issues[0].code).toBe('sign_in_again')
    const confirm = (body: object) => browser.call('POST', '/session/confirm', body)
    expect((await confirm({ password })).body.issues[0].code).toBe('factor_required')
    expect((await confirm({ code: '000000' })).body.issues[0].code).toBe('wrong')
    expect((await renew()).status).toBe(403)
    expect((await confirm({ code: codeNow(secret) })).status).toBe(200)
    expect((await renew()).status).toBe(200)
  })

  test.each([
    ['POST', '/session/factors/passkeys/options'],
    ['POST', '/session/factors/app/setup'],
    ['DELETE', '/session/factors/app'],
    ['DELETE', '/session/factors/passkeys/01920000-0000-7000-8000-0000000000ff'],
  ])('comes before %s %s', async (method, path) => {
    const { browser } = await withApp()
    app.clock.advance(16 * 60_000)
    const { status, body } = await browser.call(method, path)
    expect([status, body.issues[0].code]).toEqual([403, 'sign_in_again'])
  })
})

// Whom an account at an OpenID Connect provider lets in, and where, with a real provider.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, linkTo, openBrowser } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { signIn } from '../../test/openid-browser.ts'
import { openidSettings, startOpenidProvider } from '../../test/openid-provider.ts'
import { updateMember } from '../access/access.sql.ts'
import { run } from '../db/sql.ts'

const provider = await startOpenidProvider()
afterAll(() => provider.close())
const app = service({ config: openidSettings(provider, { domains: ['home.example'] }) })
const strict = service({
  config: openidSettings(provider, {
    ...{ only: true, domains: ['home.example'] },
    groupRoles: new Map([
      ['crm-admins', 'admin'],
      ['sales', 'write'],
    ]),
  }),
})
let first: Workspace
let space: Workspace
let evil: Workspace
let last = 0
let email: string
let id: string

beforeAll(async () => {
  provider.allow(app.url)
  provider.allow(strict.url)
  first = await app.workspace()
  app.clock.advance(1_000)
})
beforeEach(async () => {
  provider.forge = undefined
  evil = await app.workspace()
  app.clock.advance(1_000)
  space = await app.workspace()
  email = `victim.${++last}@example.com`
  id = await addMember(space, email)
  provider.person = { email, email_verified: true }
})

async function addMember({ id_space, ...space }: Workspace, email: string): Promise<string> {
  const id = await app.member({ id_space, ...space })
  await updateMember(app.db, { id_space, id }, { email })
  return id
}

async function invite(space: Workspace, email: string) {
  const { status, body } = await (await app.person(space)).post('/members', { email })
  expect(status).toBe(200)
  return { id: body.id as string, token: body.link.slice(body.link.indexOf('=') + 1) }
}

const me = async (browser: Browser) => (await browser.call('GET', '/rest/me')).body
const audited = async (space: Workspace, action: string) =>
  (await space.get('/audit')).body.entries
    .filter((entry: { action: string }) => entry.action === action)
    .map(({ about }: { about: object }) => about)
const spacesOf = async (browser: Browser) =>
  (await browser.call('GET', '/session/workspaces')).body.map(
    ({ name, ...one }: { name: string }) => one,
  )
const goTo = (browser: Browser, { id_space }: Workspace) =>
  browser.call('POST', '/session/switch', { id_space })

describe('the first sign-in', () => {
  test('binds the member to the account, whatever address it has later', async () => {
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/')
    expect(await me(browser)).toMatchObject({ id, email })
    const bound = { issuer: provider.issuer, subject: `account of ${email}` }
    expect(await audited(space, 'identity.bound')).toEqual([{ id, email, ...bound }])
    provider.person = {
      ...bound,
      sub: bound.subject,
      email: 'new@example.com',
      email_verified: true,
    }
    expect(await signIn(browser)).toBe('/')
    expect((await me(browser)).id).toBe(id)
  })

  test('leaves no room for another account with the same address', async () => {
    expect(await signIn(openBrowser(app))).toBe('/')
    provider.person = { sub: 'another', email, email_verified: true }
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/#sign-in-error=refused')
    expect(browser.cookies.size).toBe(0)
    expect(await audited(space, 'identity.refused')).toEqual([
      { id, email, issuer: provider.issuer, subject: 'another' },
    ])
    expect(await audited(evil, 'identity.refused')).toEqual([])
  })

  test('until an admin unbinds the member, which ends the sessions', async () => {
    const old = openBrowser(app)
    await signIn(old)
    provider.person = { sub: `another ${last}`, email, email_verified: true }
    const host = new URL(provider.issuer).host
    const listed = async () =>
      (await space.get('/members')).body.find((one: { id: string }) => one.id === id).provider
    expect(await listed()).toBe(host)
    const path = `/members/${id}/identity`
    expect((await space.remove(path)).status).toBe(403)
    const owner = await app.person(space)
    expect((await owner.remove(path)).status).toBe(200)
    expect(await listed()).toBeNull()
    expect((await owner.remove(path)).status).toBe(200)
    expect((await old.call('GET', '/rest/me')).status).toBe(401)
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/')
    expect((await me(browser)).id).toBe(id)
    expect(await audited(space, 'identity.unbound')).toMatchObject([{ id, ended_sessions: 1 }])
  })

  test.each([
    ['an I with a dot', 'vİctim'],
    ['an i without a dot', 'vıctim'],
    ['the Kelvin sign', 'victim\u212a'],
    ['full-width letters', 'ｖictim'],
    ['a combining character', 'vi\u0307ctim'],
    ['a variation selector', 'victim\ufe0f'],
  ])('of an address with %s is not that of its plain neighbor', async (_what, name) => {
    const domain = `k${last}.example.com`
    const plain = await addMember(space, `victim@${domain}`)
    await addMember(space, `victimk@${domain}`)
    provider.person = { email: `${name}@${domain}`, email_verified: true }
    expect(await signIn(openBrowser(app))).toBe('/#sign-in-error=refused')
    provider.person = { email: `VICTIM@K${last}.example.com`, email_verified: true }
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/')
    expect((await me(browser)).id).toBe(plain)
  })

  test('knows an international domain in both forms', async () => {
    const { id } = await invite(space, `tom${last}@EXÄMPLE.com`)
    for (const domain of ['exa\u0308mple.com', 'XN--exmple-cua.com']) {
      provider.person = { sub: `tom ${last}`, email: `TOM${last}@${domain}`, email_verified: true }
      const browser = openBrowser(app)
      expect(await signIn(browser)).toBe('/')
      expect((await me(browser)).id).toBe(id)
    }
  })
})

describe('an admin of another workspace who invites the address', () => {
  test('gets nobody, who is offered to join instead', async () => {
    const invitation = await invite(evil, email)
    const browser = openBrowser(app)
    for (let i = 0; i < 2; i++) {
      expect(await signIn(browser)).toBe('/')
      expect(await me(browser)).toMatchObject({ id, id_space: space.id_space })
    }
    expect(await spacesOf(browser)).toEqual([
      { id_space: space.id_space, is_current: true, needs_sign_in: false },
      { id_space: evil.id_space, is_current: false, needs_sign_in: true },
    ])
    expect((await goTo(browser, evil)).status).toBe(404)
    const wish = `?space=${evil.id_space}`
    // A link in a mail or on another site.
    for (const site of ['none', 'cross-site', 'same-site']) {
      expect(await signIn(browser, wish, { 'Sec-Fetch-Site': site })).toBe('/')
      expect((await me(browser)).id).toBe(id)
    }
    expect(await signIn(browser, wish)).toBe('/')
    expect((await me(browser)).id).toBe(invitation.id)
    expect(await signIn(browser)).toBe('/#sign-in-choice=workspace')
  })

  test('and uses the invitation gets nobody either', async () => {
    const { token } = await invite(evil, email)
    const accepted = { token, name: 'Evil', password: 'a fine long sentence' }
    expect((await openBrowser(app).call('POST', '/session/link', accepted)).status).toBe(200)
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/')
    expect((await me(browser)).id).toBe(id)
  })

  test('and uses it, before the other invitation was used: the person chooses', async () => {
    const email = `invited.${last}@example.com`
    const { token } = await invite(evil, email)
    const accepted = { token, name: 'Evil', password: 'a fine long sentence' }
    expect((await openBrowser(app).call('POST', '/session/link', accepted)).status).toBe(200)
    const wanted = await invite(space, email)
    provider.person = { email, email_verified: true }
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/#sign-in-choice=workspace')
    expect((await browser.call('GET', '/rest/me')).status).toBe(401)
    const choices = (await browser.call('GET', '/session/choice')).body
    expect(choices).toEqual([
      { id_space: evil.id_space, name: 'Test', is_invitation: true },
      { id_space: space.id_space, name: 'Test', is_invitation: true },
    ])
    const choose = (id_space: string) => browser.call('POST', '/session/choice', { id_space })
    expect((await choose(first.id_space)).status).toBe(404)
    expect((await choose(space.id_space)).body).toMatchObject({ id: wanted.id })
    expect((await me(browser)).id).toBe(wanted.id)
    expect((await browser.call('GET', '/session/choice')).status).toBe(401)
    // From now on the sign-in leads there.
    expect(await signIn(browser)).toBe('/')
    expect((await me(browser)).id).toBe(wanted.id)
  })

  test('does not keep newcomers of a listed domain out of the first workspace', async () => {
    const email = `new.${last}@home.example`
    const { token } = await invite(evil, email)
    const accepted = { token, name: 'Evil', password: 'a fine long sentence' }
    await openBrowser(app).call('POST', '/session/link', accepted)
    provider.person = { email, email_verified: true, name: 'New' }
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/')
    expect(await me(browser)).toMatchObject({ name: 'New', id_space: first.id_space })
  })
})

describe('a choice', () => {
  const choose = (browser: Browser) =>
    browser.call('POST', '/session/choice', { id_space: space.id_space })

  beforeEach(async () => {
    await addMember(evil, email)
  })

  test('is open for ten minutes, and only as the service has signed it', async () => {
    const browser = openBrowser(app)
    expect(await signIn(browser)).toBe('/#sign-in-choice=workspace')
    const [[name, value] = ['', '']] = browser.cookies
    expect(name).toMatch(/^rapport-choice-\d+$/)
    const [text = '', signature] = value.split('.')
    const about = JSON.parse(Buffer.from(text, 'base64url').toString())
    about.account.subject = 'another'
    const forged = Buffer.from(JSON.stringify(about)).toString('base64url')
    for (const wrong of [`${forged}.${signature}`, text, `${text}.`, 'x.y', '.']) {
      browser.cookies.set(name, wrong)
      expect((await choose(browser)).status).toBe(401)
    }
    browser.cookies.set(name, value)
    app.clock.advance(600_000)
    expect((await choose(browser)).status).toBe(401)
  })
})

describe('a session', () => {
  test('goes on in the other workspaces of the same account, not as a newer sign-in', async () => {
    const other = await addMember(evil, email)
    await updateMember(app.db, { id_space: space.id_space, id }, { role: 'admin' })
    const browser = openBrowser(app)
    for (const { id_space } of [space, evil]) {
      expect(await signIn(browser, `?space=${id_space}`)).toBe('/')
    }
    const at = app.clock.now.toISOString()
    const before = new Map(browser.cookies)
    app.clock.advance(1_000_000)
    expect((await goTo(browser, space)).body).toMatchObject({ id, id_space: space.id_space })
    expect((await me(browser)).id).toBe(id)
    const refused = await browser.call('POST', '/rest/members', { email: 'a@example.com' })
    expect([refused.status, refused.body.issues[0]?.code]).toEqual([403, 'sign_in_again'])
    const sessions = await run<{ signed_in_at: string }[]>(app.db)`select signed_in_at from api_key
        where id_space = ${space.id_space} and id_member = ${id} and revoked_at is null`
    expect([...sessions]).toEqual([{ signed_in_at: at }])
    const old = openBrowser(app)
    for (const [name, value] of before) old.cookies.set(name, value)
    expect((await old.call('GET', '/rest/me')).status).toBe(401)
    expect((await goTo(browser, evil)).body).toMatchObject({ id: other })
    // Unbound in the meantime: the proof does not count anymore.
    await (await app.person(space)).remove(`/members/${id}/identity`)
    expect((await goTo(browser, space)).status).toBe(404)
  })

  test('of a link goes nowhere else, although its member is bound', async () => {
    await addMember(evil, email)
    for (const { id_space } of [space, evil]) await signIn(openBrowser(app), `?space=${id_space}`)
    const browser = openBrowser(app)
    // As an admin of the workspace could.
    const token = await linkTo(app, { id_space: space.id_space, id }, 'reset')
    const body = { token, password: 'a fine long sentence' }
    expect((await browser.call('POST', '/session/link', body)).status).toBe(200)
    expect(await spacesOf(browser)).toEqual([
      { id_space: space.id_space, is_current: true, needs_sign_in: false },
    ])
    expect((await goTo(browser, evil)).status).toBe(404)
  })

  test('of a password goes on where the same password was right, until that is changed', async () => {
    const password = 'a fine long sentence'
    const other = await addMember(evil, email)
    const third = await addMember(first, email)
    const setPassword = async (id_space: string, id: string, password: string) => {
      const token = await linkTo(app, { id_space, id }, 'reset')
      const { status } = await openBrowser(app).call('POST', '/session/link', { token, password })
      expect(status).toBe(200)
    }
    await setPassword(space.id_space, id, password)
    await setPassword(evil.id_space, other, password)
    await setPassword(first.id_space, third, 'another long sentence')
    const browser = openBrowser(app)
    const { body } = await browser.call('POST', '/session/password', {
      ...{ email, password, id_space: space.id_space },
    })
    expect(body.workspaces).toHaveLength(2)
    expect((await goTo(browser, first)).status).toBe(404)
    expect((await goTo(browser, evil)).body).toMatchObject({ id: other })
    app.clock.advance(1_000)
    await setPassword(space.id_space, id, 'a changed long sentence')
    expect(await spacesOf(browser)).toHaveLength(1)
    expect((await goTo(browser, space)).status).toBe(404)
  })

  test.each(['x', '', '01920000-0000-7000-8000-0000000000ff'])(
    'does not go to %j',
    async (id_space) => {
      const browser = openBrowser(app)
      await signIn(browser)
      const { status } = await browser.call('POST', '/session/switch', { id_space })
      expect([400, 404]).toContain(status)
    },
  )
})

test('an ID token with a wrong signature does not count', async () => {
  provider.forge = (tokens) => {
    const [head, , signature] = tokens.id_token.split('.')
    const claims = JSON.parse(
      Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString(),
    )
    const forged = Buffer.from(JSON.stringify({ ...claims, forged: true })).toString('base64url')
    tokens.id_token = [head, forged, signature].join('.')
  }
  const browser = openBrowser(app)
  expect(await signIn(browser)).toBe('/#sign-in-error=unavailable')
  expect(browser.cookies.size).toBe(0)
  provider.forge = (tokens) => {
    const [, claims] = tokens.id_token.split('.')
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    tokens.id_token = `${head}.${claims}.`
  }
  expect(await signIn(browser)).toBe('/#sign-in-error=unavailable')
})

describe('with OIDC_ONLY', () => {
  let only: Workspace
  beforeAll(async () => {
    only = await strict.workspace()
  })

  test('there are no passwords, and no links but that of an owner from the command line', async () => {
    const { id_space, owner } = only
    const password = 'a fine long sentence'
    const id = await strict.member(only)
    const browser = openBrowser(strict)
    const open = async (purpose: 'sign_in' | 'invitation' | 'reset', id: string) => {
      const token = await linkTo(strict, { id_space, id }, purpose)
      const look = await browser.call('POST', '/session/link/look', { token })
      const { status } = await browser.call('POST', '/session/link', { token, name: 'X', password })
      expect(look.status).toBe(status)
      return status
    }
    expect(await open('reset', owner)).toBe(404)
    expect(await open('reset', id)).toBe(404)
    expect(await open('invitation', id)).toBe(404)
    expect(await open('sign_in', id)).toBe(404)
    expect(await open('sign_in', owner)).toBe(200)
    expect((await browser.call('GET', '/session/ways')).body).toMatchObject({ password: false })
    const email = `${owner}@example.com`
    const answers = [
      await browser.call('POST', '/session/password', { email, password }),
      await browser.call('PATCH', '/session/password', { password }),
      await browser.call('POST', '/session/confirm', { password }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.issues[0].code]).toEqual([403, 'openid_only'])
    }
  })

  test('an invitation only names the address, and the provider lets the member in', async () => {
    const admin = await strict.person(only)
    const { body } = await admin.post('/members', { email: 'ann@example.com', role: 'admin' })
    expect(body).toMatchObject({ email: 'ann@example.com', link: strict.url, provider: null })
    const again = await admin.post(`/members/${body.id}/link`)
    expect(again.body).toMatchObject({ purpose: 'invitation', link: strict.url })
    provider.person = { email: 'ann@example.com', email_verified: true, groups: ['crm-admins'] }
    const browser = openBrowser(strict)
    expect(await signIn(browser)).toBe('/')
    expect(await me(browser)).toMatchObject({ id: body.id, role: 'admin' })
    const reset = await admin.post(`/members/${body.id}/link`)
    expect([reset.status, reset.body.issues[0].code]).toEqual([400, 'openid_only'])
  })

  test('the groups set the role at each sign-in, but not that of an owner', async () => {
    const email = 'tom@home.example'
    const browser = openBrowser(strict)
    const other = await strict.workspace()
    const roles: [groups: unknown, role: string][] = [
      [['sales', 'crm-admins', 7], 'admin'],
      ['sales', 'write'],
      [['Crm-Admins'], 'read'],
      [['crm-admins'], 'admin'],
      [undefined, 'read'],
    ]
    for (const [groups, role] of roles) {
      provider.person = { email, email_verified: true, ...(groups !== undefined && { groups }) }
      expect(await signIn(browser)).toBe('/')
      expect(await me(browser)).toMatchObject({ email, role, id_space: only.id_space })
    }
    // The role counts in every workspace of the account.
    const { body } = await (await strict.person(other)).post('/members', { email })
    expect(await signIn(browser, `?space=${other.id_space}`)).toBe('/')
    provider.person = { email, email_verified: true, groups: ['sales'] }
    await signIn(browser, `?space=${only.id_space}`)
    const { body: members } = await other.get('/members')
    expect(members.find((one: { id: string }) => one.id === body.id).role).toBe('write')
    const owner = `${only.owner}@example.com`
    provider.person = { email: owner, email_verified: true, groups: [] }
    expect(await signIn(browser)).toBe('/')
    expect(await me(browser)).toMatchObject({ id: only.owner, role: 'owner' })
  })
})

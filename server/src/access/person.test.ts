// A key is not a person: what only someone who has just signed in may do.
import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, signedIn } from '../../test/browser.ts'
import { type Client, service, type Workspace } from '../../test/harness.ts'
import { storePassword } from './passwords.sql.ts'
import { hashPassword } from './passwords.ts'

const fixed = 'a-fixed-key-of-a-script'
const app = service()
let space: Workspace
let admin: string
beforeAll(async () => {
  space = await app.workspace()
  admin = await app.member(space, 'admin')
})

const minute = 60_000
const password = 'a fine long sentence'
const ownerOf = ({ id_space, owner }: Workspace) => ({ id_space, id: owner })

async function setPassword(id: string): Promise<void> {
  const hash = await hashPassword(password, { log2: 7, r: 8, p: 1 })
  await storePassword(app.db, { id_space: space.id_space, id }, hash, app.clock.now)
}

/** Each thing that needs a person, for the owner to do. */
async function requests(): Promise<[method: string, path: string, body?: object][]> {
  const other = await app.member(space, 'owner')
  const member = await app.member(space)
  const keyOf = async (owner: string) => {
    await app.key(space, 'read', owner)
    const { body } = await space.get('/keys')
    return body.findLast(({ id_member }: { id_member: string }) => id_member === owner).id
  }
  return [
    ['POST', '/members', { email: `${member}@links.example` }],
    ['POST', `/members/${member}/link`],
    ['POST', '/members', { email: `${other}@links.example`, role: 'owner' }],
    ['PATCH', `/members/${member}`, { role: 'owner' }],
    ['PATCH', `/members/${other}`, { role: 'admin' }],
    ['POST', '/keys', { name: 'Mine' }],
    ['POST', '/keys', { name: 'Theirs', id_member: space.owner, role: 'read' }],
    ['DELETE', `/keys/${await keyOf(space.owner)}`],
    ['DELETE', `/members/${await app.member(space, 'owner')}`],
  ]
}

async function statuses(client: Client): Promise<unknown[]> {
  const answers = []
  for (const [method, path, body] of await requests()) {
    const { status, body: answer } = await client.call(method, path, body)
    answers.push([status, answer.issues?.[0]?.code])
  }
  return answers
}

test('what gives a workspace away needs a person, not a key', async () => {
  const refused = Array(9).fill([403, 'needs_person'])
  expect(await statuses(space)).toEqual(refused)
  expect(await statuses(await app.person(space))).toEqual(Array(9).fill([200, undefined]))
})

test('a sign-in counts for 15 minutes', async () => {
  const person = await app.person(space)
  app.clock.advance(15 * minute)
  expect(await statuses(person)).toEqual(Array(9).fill([200, undefined]))
  const later = await app.person(space)
  app.clock.advance(15 * minute + 1)
  expect(await statuses(later)).toEqual(Array(9).fill([403, 'sign_in_again']))
  // What is not about access continues.
  expect((await later.post('/tags', { name: 'Warm' })).status).toBe(200)
  expect((await later.post('/keys', { name: 'Robot', id_member: admin })).status).toBe(200)
})

test('RAPPORT_API_KEY is a key, too', async () => {
  const principal = { space: space.id_space, user: space.owner, role: 'admin', way: 'api' } as const
  const other = await app.another(0, { fixedKey: { key: fixed, principal } })
  try {
    const answer = await fetch(`${other.url}/rest/members/${admin}/link`, {
      method: 'POST',
      headers: { 'X-API-KEY': fixed },
    })
    expect(answer.status).toBe(403)
  } finally {
    await other.app.close()
  }
})

describe('POST /session/confirm', () => {
  const confirm = (browser: Browser, body: object) => browser.call('POST', '/session/confirm', body)
  const link = (browser: Browser) => browser.call('POST', `/rest/members/${admin}/link`)

  test('with the password makes a session fresh again, at once', async () => {
    await setPassword(space.owner)
    const browser = await signedIn(app, ownerOf(space))
    const other = await signedIn(app, ownerOf(space))
    app.clock.advance(20 * minute)
    const stale = await link(browser)
    expect(stale.body).toEqual({
      code: 'FORBIDDEN',
      message: 'Insufficient access',
      issues: [{ path: [], code: 'sign_in_again', message: expect.stringMatching(/15 minutes/) }],
    })
    const wrong = await confirm(browser, { password: 'another long sentence' })
    expect([wrong.status, wrong.body.issues[0]]).toMatchObject([
      400,
      { path: ['password'], code: 'wrong' },
    ])
    expect((await link(browser)).status).toBe(403)
    expect((await confirm(browser, { password })).body).toBe('Confirmed')
    expect((await link(browser)).status).toBe(200)
    // Another session of the same person stays as it is.
    expect((await link(other)).status).toBe(403)
    const [entry] = (await space.get('/audit')).body.entries.filter(
      ({ action }: { action: string }) => action === 'session.confirmed',
    )
    expect(entry).toMatchObject({
      actor: { member: space.owner, way: 'web' },
      about: { way: 'password' },
    })
    app.clock.advance(15 * minute + 1)
    expect((await link(browser)).status).toBe(403)
  })

  test('needs a session, and a password to compare with', async () => {
    expect((await confirm(openBrowser(app), { password })).status).toBe(401)
    const without = await signedIn(app, { id_space: space.id_space, id: admin })
    const { status, body } = await confirm(without, { password })
    expect([status, body.issues[0].code]).toEqual([400, 'no_password'])
  })

  test('a member without a password confirms by signing in again', async () => {
    const browser = await signedIn(app, { id_space: space.id_space, id: admin })
    const target = `/rest/members/${await app.member(space)}/link`
    app.clock.advance(20 * minute)
    expect((await browser.call('POST', target)).status).toBe(403)
    const again = await signedIn(app, { id_space: space.id_space, id: admin })
    expect((await again.call('POST', target)).status).toBe(200)
  })
})

test('a password is set only by a person who has just signed in', async () => {
  const id = await app.member(space)
  const browser = await signedIn(app, { id_space: space.id_space, id })
  app.clock.advance(20 * minute)
  const set = () => browser.call('PATCH', '/session/password', { password })
  expect((await set()).body.issues[0].code).toBe('sign_in_again')
  const fresh = await signedIn(app, { id_space: space.id_space, id })
  expect((await fresh.call('PATCH', '/session/password', { password })).status).toBe(200)
})

describe('a key of an admin', () => {
  test('can be revoked by an admin, a key of an owner cannot', async () => {
    const person = await app.person(space, admin)
    const list = async () => (await person.get('/keys')).body as { id: string; id_member: string }[]
    await app.key(space, 'read')
    const owners = (await list()).findLast(({ id_member }) => id_member === space.owner)
    expect((await person.remove(`/keys/${owners?.id}`)).status).toBe(403)
    const own = await app.key(space, 'admin', admin)
    expect((await app.as(own).get('/me')).status).toBe(200)
    const mine = (await list()).findLast(({ id_member }) => id_member === admin)
    expect((await app.as(own).remove(`/keys/${mine?.id}`)).status).toBe(200)
    // At once, in the process that did it.
    expect((await app.as(own).get('/me')).status).toBe(401)
  })

  test('cannot make one that is valid longer than itself', async () => {
    const person = await app.person(space, admin)
    const expires_at = new Date(app.clock.now.getTime() + 60 * minute).toISOString()
    const { body } = await person.post('/keys', { name: 'Short', role: 'admin', expires_at })
    const short = app.as(body.key)
    const later = new Date(app.clock.now.getTime() + 61 * minute).toISOString()
    for (const end of [
      {},
      { expires_at: null },
      { expires_at: later },
      { expires_at: '9999-12-31T23:59:59Z' },
    ]) {
      const { status, body } = await short.post('/keys', { name: 'Long', ...end })
      expect([status, body.issues[0]]).toMatchObject([
        400,
        { path: ['expires_at'], code: 'too_late' },
      ])
    }
    expect((await short.post('/keys', { name: 'Equal', expires_at })).status).toBe(200)
    // One that does not end makes what it likes.
    expect(
      (await app.as(await app.key(space, 'admin', admin)).post('/keys', { name: 'Long' })).status,
    ).toBe(200)
  })
})

// One-time links: sign-in, invitation, reset.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { linkTo, openBrowser, signedIn } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { newKey } from '../access/keys.ts'
import { run } from '../db/sql.ts'

let slept: number[] = []
const app = service({ sleep: async (ms) => slept.push(ms) })
let space: Workspace
let member: { id_space: string; id: string }
beforeAll(async () => {
  space = await app.workspace()
})
beforeEach(async () => {
  app.clock.advance(600_000)
  slept = []
  member = { id_space: space.id_space, id: await app.member(space) }
})

const use = (body: object) => openBrowser(app).call('POST', '/session/link', body)
const look = (token: string) => openBrowser(app).call('POST', '/session/link/look', { token })
const minute = 60_000
const password = 'a fine long sentence'

test('a link signs its member in, once', async () => {
  const token = await linkTo(app, member)
  const browser = openBrowser(app)
  const { status, body } = await browser.call('POST', '/session/link', { token })
  const workspaces = [{ id_space: space.id_space, name: 'Test' }]
  expect([status, body]).toEqual([200, { ...member, workspaces, next: null }])
  expect((await browser.call('GET', '/rest/me')).body.id).toBe(member.id)
  const again = await use({ token })
  expect([again.status, again.body.code]).toEqual([404, 'NOT_FOUND'])
  expect(again.headers.getSetCookie()).toEqual([])
})

test('of twenty who use it at once, one is let in', async () => {
  const token = await linkTo(app, member)
  const answers = await Promise.all(Array.from({ length: 20 }, () => use({ token })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
  const sessions = await run(
    app.db,
  )`select id from api_key where id_space = ${space.id_space} and id_member = ${member.id}`
  expect(sessions).toHaveLength(1)
})

test.each([
  ['sign_in', 30 * minute],
  ['invitation', 7 * 24 * 60 * minute],
  ['reset', 24 * 60 * minute],
] as const)('a link of the purpose %s is valid for %d ms', async (purpose, validMs) => {
  const token = await linkTo(app, member, purpose)
  app.clock.advance(validMs - 1)
  expect(await look(token)).toMatchObject({ status: 200, body: { purpose, workspace: 'Test' } })
  app.clock.advance(1)
  const [late, unknown] = [await look(token), await look(newKey('link'))]
  expect(late.status).toBe(404)
  // One answer for what has expired, was used or never was.
  expect(late.body).toEqual(unknown.body)
  expect((await use({ token, name: 'Tom', password })).status).toBe(404)
})

test('a look says whose link it is, and does not use it up', async () => {
  const token = await linkTo(app, member)
  for (let i = 0; i < 3; i++) {
    const { status, body } = await look(token)
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['email', 'expires_at', 'name', 'purpose', 'workspace'],
    ])
  }
  expect((await use({ token })).status).toBe(200)
})

test('a newer link of the same purpose replaces the older one', async () => {
  const [older, other, newer] = [
    await linkTo(app, member),
    await linkTo(app, member, 'reset'),
    await linkTo(app, member),
  ]
  expect((await use({ token: older })).status).toBe(404)
  expect((await look(other)).status).toBe(200)
  expect((await use({ token: newer })).status).toBe(200)
})

test('guesses are slowed, and no key, session or hash is a link', async () => {
  const token = await linkTo(app, member)
  const [row] = await run(
    app.db,
  )`select hash from sign_in_link where id_member = ${member.id} and id_space = ${space.id_space}`
  const browser = await signedIn(app, { id_space: space.id_space, id: space.owner })
  const [session = ''] = browser.cookies.values()
  const guesses = ['', 'x', token.slice(0, -1), space.key, session, String(row?.hash)]
  for (const guess of guesses) expect((await use({ token: guess })).status).toBe(404)
  for (let i = 0; i < 6; i++) await look(newKey('link'))
  expect(slept).toEqual([250, 500])
  expect((await use({ token })).status).toBe(200)
})

test.each([[{}], [{ token: 5 }], [{ token: 'x'.repeat(101) }], [{ token: { a: 1 } }]])(
  'the body %j is refused',
  async (body) => {
    expect((await use(body)).status).toBe(400)
  },
)

test('a large body is refused before it is read whole', async () => {
  expect((await use({ token: 'x', more: 'x'.repeat(20_000) })).status).toBe(413)
})

describe('an invitation', () => {
  test('asks for a name and a good password, and is not used up by a bad one', async () => {
    const token = await linkTo(app, member, 'invitation')
    const refused = async (body: object) => (await use({ token, ...body })).body.issues[0].path
    expect(await refused({ password })).toEqual(['name'])
    expect(await refused({ name: ' ', password })).toEqual(['name'])
    expect(await refused({ name: 'Tom' })).toEqual(['password'])
    expect(await refused({ name: 'Tom', password: 'short' })).toEqual(['password'])
    const browser = openBrowser(app)
    const { status } = await browser.call('POST', '/session/link', {
      token,
      name: ' Tom ',
      password,
    })
    expect(status).toBe(200)
    const { body } = await browser.call('GET', '/rest/me')
    expect(body).toMatchObject({ id: member.id, name: 'Tom', role: 'write' })
    const signIn = { email: body.email, password }
    expect((await browser.call('POST', '/session/password', signIn)).status).toBe(200)
    expect((await use({ token, name: 'Tom', password })).status).toBe(404)
  })
})

describe('a reset', () => {
  test('sets a new password, and ends every older way in of the member', async () => {
    const before = await signedIn(app, member)
    const { body: calendar } = await before.call('POST', '/rest/calendar')
    const { pathname } = new URL(calendar.address)
    expect((await app.request(pathname)).status).toBe(200)
    const other = await linkTo(app, member)
    const token = await linkTo(app, member, 'reset')
    const browser = openBrowser(app)
    const { status } = await browser.call('POST', '/session/link', { token, password })
    expect(status).toBe(200)
    app.clock.advance(5_000)
    expect((await before.call('GET', '/rest/me')).status).toBe(401)
    expect((await browser.call('GET', '/rest/me')).status).toBe(200)
    expect((await use({ token: other })).status).toBe(404)
    expect((await app.request(pathname)).status).toBe(404)
  })
})

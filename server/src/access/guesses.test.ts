// How often passwords can be guessed, and who is told.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, signedIn } from '../../test/browser.ts'
import { type Client, service, type Workspace } from '../../test/harness.ts'
import { assignments, run, sql } from '../db/sql.ts'
import { createBackground } from '../http/background.ts'
import { createGuesses } from './guesses.ts'
import { storePassword } from './passwords.sql.ts'
import { hashPassword } from './passwords.ts'

const app = service({ config: { trustProxy: ['127.0.0.0/8'] } })
const hour = 3_600_000
const password = 'a fine long sentence'
let space: Workspace
let id: string
let email: string

beforeAll(async () => {
  space = await app.workspace()
})
beforeEach(async () => {
  id = await app.member(space)
  email = `${id}@example.com`
  await setPassword({ id_space: space.id_space, id }, password)
})

async function setPassword(member: { id_space: string; id: string }, text: string): Promise<void> {
  const hash = await hashPassword(text, { log2: 7, r: 8, p: 1 })
  await storePassword(app.db, member, hash, app.clock.now)
}

let clients = 0
/** A client that nobody has used. */
const newClient = () => `10.${++clients >> 8}.${clients & 255}.1`
const signIn = (body: object, client = newClient(), url?: string) => {
  const headers = { 'X-Forwarded-For': client }
  if (!url) return openBrowser(app).call('POST', '/session/password', body, headers)
  return fetch(`${url}/session/password`, {
    method: 'POST',
    headers: { ...headers, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
async function guess(times: number, to = email, client?: string): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < times; i++) {
    statuses.push((await signIn({ email: to, password: 'wrong' }, client)).status)
  }
  return statuses
}
const right = async (client?: string) => (await signIn({ email, password }, client)).status

const budgets = () =>
  run<{ subject: string; hour_used: number; day_used: number }[]>(
    app.db,
  )`select subject, hour_used, day_used from guess_budget order by subject`

/** Makes one wrong guess, and then counts it as many more, which would take long. */
async function spend(
  kind: 'account' | 'nobody' | 'client',
  used: object,
  to = email,
  from?: string,
) {
  const before = new Map((await budgets()).map(({ subject, day_used }) => [subject, day_used]))
  await guess(1, to, from)
  const changed = (await budgets()).filter(
    ({ subject, day_used }) => subject.startsWith(kind) && before.get(subject) !== day_used,
  )
  expect(changed).toHaveLength(1)
  const { subject } = changed[0] as { subject: string }
  await run(app.db)`update guess_budget set ${assignments(used)} where subject = ${subject}`
}

describe('an account', () => {
  test('takes 100 wrong passwords an hour, then none, also after a restart', async () => {
    expect(await right()).toBe(200)
    await spend('account', { hour_used: 98 })
    expect(await guess(3)).toEqual([401, 401, 429])
    expect(await right()).toBe(429)
    const other = await app.another()
    try {
      const answer = await signIn({ email, password }, newClient(), other.url)
      expect(answer.status).toBe(429)
    } finally {
      await other.app.close()
    }
    const find = async (by: Client) =>
      (await by.get('/members')).body.find((one: { id: string }) => one.id === id)
    const admin = await app.person(space, await app.member(space, 'admin'))
    const until = new Date(app.clock.now.getTime() + hour).toISOString()
    expect(await find(admin)).toMatchObject({ password_locked_until: until })
    const reader = app.as(await app.key(space, 'read'))
    expect(await find(reader)).toMatchObject({ password_locked_until: null })
    // Other ways in still work.
    const open = await signedIn(app, { id_space: space.id_space, id })
    expect((await open.call('GET', '/rest/me')).status).toBe(200)
    app.clock.advance(hour)
    expect(await right()).toBe(200)
    expect(await find(admin)).toMatchObject({ password_locked_until: null })
  })

  test('takes 500 a day', async () => {
    await spend('account', { day_used: 499 })
    expect(await guess(2)).toEqual([401, 429])
    app.clock.advance(23 * hour)
    expect(await right()).toBe(429)
    app.clock.advance(hour)
    expect(await right()).toBe(200)
  })

  test('gets no more by asking many times at once', async () => {
    await spend('account', { hour_used: 93 })
    let checks = 0
    const wait = createGuesses({
      ...{ db: app.db, clock: () => app.clock.now, background: createBackground() },
      sleep: async () => {},
    })
    const log = { warn() {} } as never
    const ask = (_: unknown, at: number) =>
      wait
        .check({ email, client: `10.99.${at}.1`, log }, async () => void checks++)
        .catch(({ status }) => status)
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 20 }, ask))
    expect(checks).toBe(7)
    expect(await right()).toBe(429)
  })

  test('is not helped by another workspace in which its address has a known password', async () => {
    const other = await app.workspace()
    const theirs = await app.member(other)
    await run(
      app.db,
    )`update member set email = ${email} where id_space = ${other.id_space} and id = ${theirs}`
    await spend('account', { hour_used: 98 })
    for (const guessed of ['guess number one', 'guess number two']) {
      await setPassword({ id_space: other.id_space, id: theirs }, guessed)
      expect((await signIn({ email, password: guessed })).status).toBe(200)
    }
    expect(await right()).toBe(429)
  })
})

test('a client takes 300 wrong passwords an hour over all accounts; one of IPv6 is its network', async () => {
  for (const [client, same, other] of [
    ['10.77.0.1', '10.77.0.1', '10.77.0.2'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', '2001:db8:1:3::1'],
  ] as const) {
    await spend('client', { hour_used: 299 }, 'nobody@example.com', client)
    expect(await guess(2, 'some@example.com', same)).toEqual([401, 429])
    expect([await right(client), await right(other)]).toEqual([429, 200])
    app.clock.advance(hour)
    expect(await right(client)).toBe(200)
  }
})

test('addresses that no member has are treated the same, and fill nothing', async () => {
  const nobody = `nobody-${id}@example.com`
  await spend('nobody', { hour_used: 98 }, nobody)
  expect(await guess(3, nobody)).toEqual([401, 401, 429])
  await spend('account', { hour_used: 99 })
  for (let at = 0; at < 20; at++) await guess(1, `invented.${at}.${id}@example.com`)
  for (const { subject } of await budgets()) {
    const [, kind, number] = /^(account|nobody|client):(\w+)$/.exec(subject) ?? []
    if (kind === 'account') expect(number).toMatch(/^[0-9a-f]{64}$/)
    else expect(Number(number)).toBeLessThan(kind === 'nobody' ? 16_384 : 65_536)
  }
  // They have pushed nobody out.
  expect(await guess(2)).toEqual([401, 429])
})

test('wrong passwords stand in the audit log as one entry, and the member is told once', async () => {
  const since = app.clock.now.toISOString()
  await guess(2, email, '10.88.0.1')
  app.clock.advance(60_000)
  const last_at = app.clock.now.toISOString()
  await guess(1, email, '10.88.0.2')
  const entries = async () =>
    (await space.get('/audit')).body.entries.filter(
      ({ action, about }: { action: string; about: { id_member: string } }) =>
        action === 'password.refused' && about.id_member === id,
    )
  // They are stored after the answer, and who reads the audit log ends the burst.
  const untold = sql`select untold from member_refusal where id_space = ${space.id_space} and id_member = ${id}`
  await expect.poll(() => run(app.db, untold)).toEqual([{ untold: 3 }])
  expect((await entries())[0].about.count).toBe(3)
  expect(await entries()).toMatchObject([
    {
      at: last_at,
      actor: { member: null, key: null, way: 'web' },
      about: { email, count: 3, since, addresses: ['10.88.0.1', '10.88.0.2'] },
    },
  ])
  const member = { id_space: space.id_space, id }
  const refusedIn = async () =>
    (await (await signedIn(app, member)).call('GET', '/rest/me')).body.session.refused
  expect(await refusedIn()).toEqual({ count: 3, last_at, address: '10.88.0.2' })
  expect(await refusedIn()).toBeNull()
  await guess(1)
  await expect.poll(async () => (await entries()).length).toBe(2)
  expect((await entries())[0].about.count).toBe(1)
})

test('a wrong current password counts as well', async () => {
  const browser = await signedIn(app, { id_space: space.id_space, id })
  await spend('account', { hour_used: 99 })
  const confirm = (text: string) => browser.call('POST', '/session/confirm', { password: text })
  expect((await confirm('wrong')).status).toBe(400)
  expect([(await confirm(password)).status, await right()]).toEqual([429, 429])
})

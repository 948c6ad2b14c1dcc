// What may not reach a log: values of rows, which PostgreSQL puts into its errors, and secrets.
import { once } from 'node:events'
import { inspect } from 'node:util'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { linkTo, openBrowser } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { writeRaw } from '../../test/raw-http.ts'
import { startSmtp } from '../../test/smtp.ts'
import { errorForLog } from '../db/error-for-log.ts'
import { run } from '../db/sql.ts'
import { unsubscribePath } from '../mail/unsubscribe.ts'
import { createSecrets } from '../secrets.ts'
import { countingDropped, logRequests } from './log.ts'

const smtp = await startSmtp({
  ...{ authOptional: false, allowInsecureAuth: true },
  onAuth: (_login, _session, done) => done(new Error('Wrong password')),
})
afterAll(() => smtp.close())
const login = { user: 'crm', password: 'the-password-of-the-mail-server' }
const app = service({
  config: { logLevel: 'info', slowStatementMs: 0, mail: { ...smtp.settings, login } },
})
const secret = 'leaky.person@secret.example'
let space: Workspace
let log: string

beforeAll(async () => {
  space = await app.workspace()
  // Errors that no check of the program foresees.
  for (const change of [
    'create unique index on tag (id_space, lower(name))',
    `alter table list add constraint strange check (name not like '%leaky%')`,
    'alter table note add constraint strange check (length(content) < 9 or content::int > 0)',
    `alter table lead add constraint strange check (city is null or city not like '%leaky%')`,
  ]) {
    await app.db.unsafe(change)
  }
})
beforeEach(() => {
  log = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    log += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const logged = (message: string, code: string) =>
  expect
    .poll(() => log)
    .toMatch(
      // The error is there, with what is needed to understand it.
      new RegExp(`"err":{"type":"PostgresError".*"code":"${code}".*"msg":"${message}"`),
    )

test.each<[string, () => Promise<unknown>, string, string]>([
  [
    'a value that exists already',
    async () => {
      await space.post('/tags', { name: secret })
      expect((await space.post('/tags', { name: secret.toUpperCase() })).status).toBe(500)
    },
    'request failed',
    '23505',
  ],
  [
    'a row that a check refuses',
    async () => expect((await space.post('/lists', { name: secret })).status).toBe(500),
    'request failed',
    '23514',
  ],
  [
    'a value that cannot be read, which the message itself quotes',
    async () =>
      expect((await space.post('/notes', { content: secret, thread_id: 't' })).status).toBe(500),
    'request failed',
    '22P02',
  ],
  [
    'an import',
    () => space.call('POST', '/leads/import', `email,city\n${secret},${secret}\n`, 'text/csv'),
    'import failed|request failed',
    '23514',
  ],
  [
    'background work',
    async () => {
      const { id } = (await space.post('/lead', {})).body
      const wanted = { kind: 'update', filter: { leads: [id] }, data: { website_url: secret } }
      const { confirm } = (await space.post('/operations/preview', wanted)).body
      await app.db.unsafe(
        `alter table event_new add constraint strange check (changed is null) not valid`,
      )
      const begun = await space.post('/operations', { ...wanted, confirm, wait: false })
      expect(begun.status).toBe(200)
    },
    'background work failed',
    '23514',
  ],
])('the log has the error, but no value of %s', async (_what, provoke, message, code) => {
  await provoke()
  await logged(message, code)
  expect(log.toLowerCase()).not.toMatch(/leaky|secret\.example|failing row|key \(/)
})

test('an error of the database has no values wherever it is printed', async () => {
  const insert = `insert into space values ($1, $2, 'UTC', now()), ($1, $2, 'UTC', now())`
  const error = await app.db.unsafe(insert, [space.id_space, secret]).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: '23505' })
  const wrapped = new Error('It failed', { cause: error })
  for (const text of [
    inspect(error),
    JSON.stringify(error),
    JSON.stringify(errorForLog(wrapped)),
    inspect(errorForLog(wrapped)),
  ]) {
    expect(text).toContain('23505')
    expect(text).not.toMatch(/leaky|Key \(/)
  }
})

/** The lines of requests. */
const requests = () =>
  log
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line))

test('a request, a stream and an export that the client leaves have one line each', async () => {
  // More than a connection holds.
  await run(app.db)`insert into lead (id_space, id, icebreaker, created_at)
      select ${space.id_space}, gen_random_uuid(), repeat('x', 100000), now()
      from generate_series(1, 200)`
  for (const [head, until] of [
    ['GET /rest/events/stream', 'HTTP/1.1 200'],
    ['GET /rest/leads/export?request=%7B%7D', 'HTTP/1.1 200'],
    ['POST /rest/lead', undefined],
  ] as const) {
    log = ''
    const socket = writeRaw(
      app.url,
      `${head} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\nContent-Type: application/json\r\n${until ? '' : 'Content-Length: 100\r\n'}\r\n`,
    )
    if (until) await once(socket, 'data')
    else await once(socket, 'ready')
    socket.resetAndDestroy()
    const [method, path] = head.split('?')[0]?.split(' ') ?? []
    await expect.poll(requests).toMatchObject([{ method, path, aborted: true }])
  }
  log = ''
  // Health checks have no line.
  await app.request('/healthz')
  await space.get('/tags')
  await expect.poll(requests).toMatchObject([
    {
      ...{
        method: 'GET',
        path: '/rest/tags',
        status: 200,
        ip: expect.stringContaining('127.0.0.1'),
      },
      ...{
        id_space: space.id_space,
        id_member: space.owner,
        id_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
  ])
  expect(log).not.toContain('aborted')
  expect(log).not.toContain(space.key)
})

test('no key, session, calendar address, one-time link or password of mail is in the log', async () => {
  const member = { id_space: space.id_space, id: await app.member(space) }
  const email = 'linked@example.com'
  await run(
    app.db,
  )`update member set email = ${email} where id_space = ${member.id_space} and id = ${member.id}`
  const secrets = [space.key, login.password]

  const person = await app.person(space)
  const { address } = (await person.post('/calendar')).body
  const [calendar = ''] = /rc_[\w-]+/.exec(address) ?? []
  secrets.push(person.key, calendar)
  expect(await app.request(new URL(address).pathname)).toMatchObject({ status: 200 })
  // As people paste it.
  for (const path of [calendar, `${calendar}.ics/`, `${calendar}.ics?token=${calendar}`]) {
    await app.request(`/calendar/${path}`)
    await app.request(`//calendar/${path}`)
    await app.request(`/%63alendar/${path}`)
  }
  await app.request(`/rest/tags/${space.key}?api_key=${space.key}`)
  const recipient = { space: space.id_space, member: space.owner }
  const unsubscribe = unsubscribePath(createSecrets('a key for tests'), recipient)
  secrets.push(unsubscribe.split('/').at(-1) as string)
  expect(await app.request(unsubscribe)).toMatchObject({ status: 302 })

  const token = await linkTo(app, member)
  secrets.push(token)
  await app.request(`/sign-in=${token}?sign-in=${token}`)
  const browser = openBrowser(app)
  await browser.call('POST', '/session/link/look', { token, purpose: token })
  await browser.call('POST', '/session/link', { token: [token] })
  await app.request('/session/link', { method: 'POST', body: `{"token": "${token}"` })
  expect(await browser.call('POST', '/session/link', { token })).toMatchObject({ status: 200 })
  secrets.push(...browser.cookies.values())

  app.dispatcher.start()
  await browser.call('POST', '/session/link/mail', { email, purpose: 'sign_in' })
  const faults = () =>
    run(app.db)`select last_error from mail_out where id_space = ${space.id_space}`
  const last_error = expect.stringMatching(/refused the user or the password/)
  await expect.poll(faults).toEqual([{ last_error }])

  const paths = () => requests().map(({ path }) => path)
  await expect.poll(paths).toContain('/session/link/mail')
  expect(paths()).toContain('/calendar/rc_….ics')
  for (const one of secrets) {
    expect(one.length).toBeGreaterThan(20)
    expect(log).not.toContain(one)
  }
  // Nor that of the mail, which nobody knows.
  expect(log).not.toMatch(/r[a-z]_[\w-]{20}/)
})

test('a slow statement is logged by name, with its time and workspace', async () => {
  await space.post('/lead', { email: secret, city: 'Oslo' })
  await space.post('/leads/search', { email: secret })
  await space.post('/leads/list', { filter: { search: secret } })
  await space.get('/tags')
  const slow = () =>
    log
      .split('\n')
      .filter((line) => line.includes('slow statement'))
      .map((line) => JSON.parse(line))
  for (const statement of ['selectTags', 'findLeads', 'insertLeads']) {
    await expect.poll(slow).toContainEqual({
      ...{ level: 'warn', time: expect.any(String), statement, ms: expect.any(Number) },
      ...{ id_space: space.id_space, msg: expect.stringContaining(`${statement}, `) },
    })
  }
  expect(slow().map(({ statement }) => statement)).not.toContain('unknown')
  expect(log).not.toMatch(/leaky|Oslo/)
})

test('work that blocks everything is logged, with the requests in progress', async () => {
  const waiting = space.get('/events?after=now&wait=5')
  await space.get('/tags')
  // As a long piece of work would, but without the CPU.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800)
  await expect.poll(() => log).toContain('the event loop was blocked')
  const [line = ''] = log.split('\n').filter((text) => text.includes('was blocked'))
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    requests: [expect.stringMatching(/^GET \/rest\/events /)],
  })
  expect(JSON.parse(line).ms).toBeGreaterThan(1_000)
  await space.post('/tags', { name: 'ends the wait' })
  await waiting
})

test('headers of a proxy that is not listed are ignored with one warning', async () => {
  for (const client of ['10.0.0.1', '10.0.0.2']) {
    await app.request('/rest/tags', { headers: { 'X-Forwarded-For': client } })
  }
  await expect.poll(() => requests().length).toBe(2)
  expect(
    log.match(/Ignored the X-Forwarded headers of [^ ]*127\.0\.0\.1\. [^"]*TRUST_PROXY/g),
  ).toHaveLength(1)
})

test('headers of a listed proxy are not, also if the client is on its machine', async () => {
  for (const trustProxy of [['127.0.0.1'], false as const]) {
    const server = Fastify({ trustProxy })
    const { ignoredProxy } = logRequests(server, () => {})
    await server.inject({ url: '/', headers: { 'X-Forwarded-For': '127.0.0.1' } })
    expect(ignoredProxy()).toBe(trustProxy ? undefined : '127.0.0.1')
  }
})

test('lines that a full disk does not take are counted', () => {
  const written: string[] = []
  let isFull = false
  const put = countingDropped((text) => {
    if (isFull) throw new Error('ENOSPC')
    written.push(text)
  })
  put('a\n')
  isFull = true
  put('b\nc\n')
  put('d\n')
  isFull = false
  put('e\n')
  put('f\n')
  expect(written).toEqual(['a\n', expect.stringMatching(/^\n{.*"dropped":3,.*}\n$/), 'e\n', 'f\n'])
})

import { afterAll, expect, test } from 'vitest'
import { openBrowser } from '../../test/browser.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { startSmtp } from '../../test/smtp.ts'
import { makeLink } from '../access/links.ts'
import { transaction } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { createSecrets } from '../secrets.ts'
import { createMail, type NewMail } from './mail.ts'

const smtp = await startSmtp()
afterAll(() => smtp.close())
const app = service({ config: { mail: smtp.settings, publicUrl: smtp.settings.page } })
const mail = createMail(smtp.settings, createSecrets('a key for tests'))

let members = 0
/** A member with an address of its own, in a workspace of its own. */
async function member(): Promise<{ space: Workspace; id: string; email: string }> {
  const space = await app.workspace()
  const email = `member-${++members}@example.com`
  await run(
    app.db,
  )`update member set email = ${email}, name = 'Ann' where id_space = ${space.id_space}`
  return { space, id: space.owner, email }
}

type Member = Awaited<ReturnType<typeof member>>

const queue = ({ space, id }: Member, more: Partial<NewMail> = {}) =>
  transaction(app.db, (tx) =>
    mail.queue(tx, {
      ...{ space: space.id_space, member: id, kind: 'notification', now: app.clock.now },
      ...{ subject: 'A reminder is due', lines: [] },
      items: [{ text: 'A reminder is due', path: '/reminders' }],
      ...more,
    }),
  )

const rowsOf = ({ space }: Member) =>
  run(
    app.db,
  )`select kind, state, attempts, content is null as is_erased, link, last_error, message_id
      from mail_out where id_space = ${space.id_space} order by id`

/** Until the worker has brought the mails of the workspace there. */
const expectRows = (who: Member, rows: object[]) =>
  expect.poll(() => rowsOf(who)).toMatchObject(rows)

/** No worker looks after the workspace anymore. */
const expectIdle = ({ space: { id_space } }: Member) =>
  expect
    .poll(() => run(app.db)`select from delivery_queue where id_space = ${id_space}`)
    .toEqual([])

const to = (email: string) => smtp.received.filter((each) => each.to === email)

test('a mail is sent once, with what a mail needs, and is then forgotten', async () => {
  app.dispatcher.start()
  const ann = await member()
  await queue(ann)
  await expectRows(ann, [{ state: 'sent', attempts: 1, is_erased: true, last_error: null }])
  const [received, ...more] = to(ann.email)
  expect(more).toEqual([])
  const { mail: parsed, raw } = received as NonNullable<typeof received>
  expect(parsed).toMatchObject({
    subject: 'A reminder is due',
    from: { name: 'Rapport', address: 'crm@example.com' },
    date: app.clock.now.toISOString(),
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example.com>$/),
    text: expect.stringContaining('https://crm.example.com/reminders'),
    html: expect.stringContaining('prefers-color-scheme: dark'),
  })
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  await expectIdle(ann)
})

test('a refusal for now is tried again, a final one is said', async () => {
  const [ann, tom] = [await member(), await member()]
  smtp.behave(ann.email, 450)
  smtp.behave(tom.email, 550)
  await Promise.all([queue(ann), queue(tom)])
  const refused = 'The server refused the address: 450 Try again later'
  await expectRows(ann, [{ state: 'queued', attempts: 1, last_error: refused }])
  await expectRows(tom, [
    { state: 'failed', last_error: 'The server refused the address: 550 No such mailbox' },
  ])
  smtp.behave(ann.email, 'accept')
  app.clock.advance(61_000)
  app.dispatcher.look()
  await expectRows(ann, [{ state: 'sent', attempts: 2 }])
  expect(to(ann.email)).toHaveLength(1)
  const { body } = await tom.space.get('/mail')
  expect(body).toMatchObject({
    ...{ state: 'on', from: 'crm@example.com' },
    mails: [{ kind: 'notification', state: 'failed', can_send: true, id_member: tom.id }],
  })
  smtp.behave(tom.email, 'accept')
  expect(await tom.space.post(`/mail/${body.mails[0].id}/send`)).toMatchObject({ status: 200 })
  await expectRows(tom, [{ state: 'sent' }])
  expect(await tom.space.post(`/mail/${body.mails[0].id}/send`)).toMatchObject({ status: 400 })
})

test.each(['cut in', 'cut after'] as const)('a line %s DATA leaves it uncertain', async (how) => {
  const ann = await member()
  smtp.behave(ann.email, how)
  await queue(ann)
  await expectRows(ann, [
    { state: 'uncertain', last_error: expect.stringMatching(/^The connection ended before/) },
  ])
  const sent = to(ann.email).length
  app.clock.advance(3_600_000)
  app.dispatcher.look()
  // Another mail passes: the worker has looked.
  smtp.behave(ann.email, 'accept')
  await queue(ann, { subject: 'Another' })
  await expectRows(ann, [{ state: 'uncertain' }, { state: 'sent' }])
  expect(to(ann.email)).toHaveLength(sent + 1)
})

test('notifications that had to wait become one mail; links do not', async () => {
  const ann = await member()
  const later = new Date(app.clock.now.getTime() + 3_600_000)
  for (const text of ['First', 'Second', 'Third']) {
    await queue(ann, { subject: text, items: [{ text, path: '/reminders' }], notBefore: later })
  }
  expect(await rowsOf(ann)).toMatchObject([{ state: 'queued' }, { state: 'queued' }, {}])
  app.clock.advance(3_600_000)
  app.dispatcher.look()
  await expectRows(ann, [{ state: 'sent' }])
  const [{ mail: one } = {} as never, ...more] = to(ann.email)
  expect(more).toEqual([])
  expect(one).toMatchObject({ subject: '3 notifications' })
  expect(one?.text).toMatch(/First\n.*\n\nSecond\n.*\n\nThird/)
})

/** A mail with a link to choose a new password. */
async function queueLink(who: Member, more: Partial<NewMail> = {}) {
  const { path, expires_at } = await makeLink(
    app.db,
    { id_space: who.space.id_space, id: who.id },
    'reset',
    app.clock.now,
  )
  const action = { text: 'Choose', path }
  const link = { kind: 'reset', items: [], action, expiresAt: new Date(expires_at) } as const
  await queue(who, { ...link, items: [], ...more })
  return path
}

const over = 'Its link had expired or was used before it could be sent'

test('a link that has expired is not sent, and none is stored in clear', async () => {
  const ann = await member()
  const day = 86_400_000
  const expired = await queueLink(ann, { notBefore: new Date(app.clock.now.getTime() + day) })
  expect(await rowsOf(ann)).toMatchObject([{ state: 'queued', link: expect.any(String) }])
  const token = expired.split('=').at(-1) as string
  expect(JSON.stringify(await run(app.db)`select * from mail_out`)).not.toContain(token)
  app.clock.advance(day)
  app.dispatcher.look()
  await expectRows(ann, [{ state: 'failed', link: null, is_erased: true, last_error: over }])
  const path = await queueLink(ann)
  await expectRows(ann, [{ state: 'failed' }, { state: 'sent', link: null, is_erased: true }])
  expect(to(ann.email).map(({ mail }) => mail.text)).toEqual([
    expect.stringContaining(`https://crm.example.com${path}`),
  ])
  expect(to(ann.email)[0]?.raw).not.toContain('List-Unsubscribe')
})

test('a link that was used or replaced meanwhile is not sent, not even by hand', async () => {
  const ann = await member()
  const use = async (path: string) => {
    const body = { token: path.split('=').at(-1), password: 'a long enough password' }
    expect(await openBrowser(app).call('POST', '/session/link', body)).toMatchObject({
      status: 200,
    })
  }
  // The server is away, and an admin hands the link over.
  smtp.behave(ann.email, 'cut before')
  const waiting = await queueLink(ann)
  await expectRows(ann, [{ state: 'queued', attempts: 1 }])
  await use(waiting)
  smtp.behave(ann.email, 'cut in')
  app.clock.advance(61_000)
  app.dispatcher.look()
  await expectRows(ann, [{ state: 'failed', is_erased: true, last_error: over }])
  // Nobody knows whether these arrived.
  await queueLink(ann)
  await expectRows(ann, [{}, { state: 'uncertain' }])
  app.clock.advance(1)
  const used = await queueLink(ann)
  await expectRows(ann, [{}, { state: 'uncertain' }, { state: 'uncertain' }])
  const listed = async () => (await ann.space.get('/mail')).body.mails
  const sendable = async () =>
    (await listed()).map(({ can_send }: { can_send: boolean }) => can_send)
  expect(await sendable()).toEqual([true, false, false])
  await use(used)
  expect(await sendable()).toEqual([false, false, false])
  const [{ id }] = await listed()
  expect(await ann.space.post(`/mail/${id}/send`)).toMatchObject({ status: 400 })
  expect(to(ann.email)).toEqual([])
})

test('a server that is away is asked again and again; then everything goes out', async () => {
  const ann = await member()
  smtp.behave(ann.email, 'cut before')
  await queue(ann)
  await expectRows(ann, [{ state: 'queued', attempts: 1 }])
  // It is said at once, not only when the mail is late.
  app.clock.advance(30_000)
  const { body } = await ann.space.get('/system')
  const check = body.checks.find(({ name }: { name: string }) => name === 'mail')
  expect(check).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(
      /^1 mail waiting, the oldest for 30 seconds\. The last attempt failed: /,
    ),
  })
  smtp.behave(ann.email, 'accept')
  app.clock.advance(61_000)
  app.dispatcher.look()
  await expectRows(ann, [{ state: 'sent', attempts: 2 }])
})

test('a worker that died leaves an uncertain mail, which only a person sends again', async () => {
  const ann = await member()
  const { id_space } = ann.space
  await queue(ann, { notBefore: new Date(app.clock.now.getTime() + 60_000) })
  // As a process leaves it that is killed while it speaks to the server.
  await run(app.db)`update mail_out set state = 'handed' where id_space = ${id_space}`
  await run(
    app.db,
  )`update delivery_queue set lease = gen_random_uuid(), due_at = null, lease_until = ${app.clock.now}
      where id_space = ${id_space}`
  app.dispatcher.look()
  const crashed = 'Rapport stopped while it was sending this mail'
  await expectRows(ann, [{ state: 'uncertain', last_error: crashed }])
  const [entry] = (await ann.space.get('/mail')).body.mails
  await ann.space.post(`/mail/${entry.id}/send`)
  await expectRows(ann, [{ state: 'sent' }])
  expect(to(ann.email)).toHaveLength(1)
})

test('after a restore nothing is sent until an admin says so', async () => {
  const ann = await member()
  const { id_space } = ann.space
  await run(app.db)`insert into mail_pause (id_space) values (${id_space})`
  await queue(ann)
  await expectIdle(ann)
  expect(await rowsOf(ann)).toMatchObject([{ state: 'queued', attempts: 0 }])
  expect((await ann.space.get('/mail')).body).toMatchObject({ state: 'paused' })
  await ann.space.post('/mail/resume')
  await expectRows(ann, [{ state: 'sent' }])
})

test('a test mail says in words what happened', async () => {
  const ann = await member()
  expect((await ann.space.post('/mail/test')).body).toMatchObject({
    ...{
      accepted: true,
      text: expect.stringMatching(/^127.0.0.1 has accepted the mail to member-/),
    },
  })
  expect(to(ann.email)[0]?.mail.subject).toBe('Mail from Rapport works')
  smtp.behave(ann.email, 550)
  expect((await ann.space.post('/mail/test')).body).toEqual({
    accepted: false,
    text: 'The server refused the address: 550 No such mailbox. Nothing was sent.',
  })
})

test('an invitation goes by mail, and people ask for links themselves, without learning who is a member', async () => {
  const { space } = await member()
  const admin = await app.person(space)
  const email = 'invited@example.com'
  const { body } = await admin.post('/members', { email })
  expect(body).toMatchObject({ sent_to: email, link: expect.stringContaining('/#invitation=') })
  await expect.poll(() => to(email)).toHaveLength(1)
  expect(to(email)[0]?.mail).toMatchObject({
    subject: 'You are invited to Test',
    text: expect.stringContaining(body.link),
    html: expect.stringContaining('because you were invited to Test.'),
  })
  const ask = (address: string, purpose = 'reset') =>
    openBrowser(app).call('POST', '/session/link/mail', { email: address, purpose })
  const known = await ask(email)
  const unknown = await ask('nobody@example.com')
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  // They have not joined yet, so it is an invitation again.
  await expect.poll(() => to(email)).toHaveLength(2)
  expect(to(email)[1]?.mail.text).toContain('/#invitation=')
  for (let count = 0; count < 5; count++) expect((await ask(email)).status).toBe(200)
  expect(await ask('tom@example.com', 'invitation')).toMatchObject({ status: 400 })
  const made = async () =>
    (await space.get('/audit?limit=50')).body.entries.filter(
      ({ action }: { action: string }) => action === 'link.created',
    )
  // An address gets four an hour, and one may have replaced another that was waiting.
  await expect.poll(async () => (await made()).length).toBe(4)
  expect(to('nobody@example.com')).toEqual([])
})

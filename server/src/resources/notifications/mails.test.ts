// Notifications by mail: at once, after quiet hours, once a day, and none of what was read before.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { startSmtp } from '../../../test/smtp.ts'
import { run } from '../../db/sql.ts'
import { createMail } from '../../mail/mail.ts'
import { createSecrets } from '../../secrets.ts'
import { fireReminders } from '../reminders/reminders.firing.ts'
import { mailNotifications } from './mails.ts'

const smtp = await startSmtp()
afterAll(() => smtp.close())
const app = service({ config: { mail: smtp.settings, publicUrl: smtp.settings.page } })
const mail = createMail(smtp.settings, createSecrets('a key for tests'))
const log = { info: () => {}, error: () => expect.unreachable() }
const options = { clock: () => app.clock.now, log }
const hour = 3_600_000
let space: Workspace

beforeAll(async () => {
  space = await app.workspace()
  await run(app.db)`update member set email = 'ann@example.com', time_zone = 'Europe/Berlin'
      where id_space = ${space.id_space}`
  app.dispatcher.start()
})

const settings = (body: object) => space.patch('/notifications/settings', body)

/** A reminder that is due now, and is in the inbox. */
async function remind(name: string): Promise<string> {
  await space.post('/reminders', { name, date: app.clock.now.toISOString() })
  await fireReminders({ ...options, db: app.db })
  const newest = async () => (await space.get('/notifications?limit=1')).body.notifications[0]
  await expect.poll(async () => (await newest())?.text).toBe(name)
  return (await newest()).id
}

/** What the service does every second. */
async function tick(): Promise<void> {
  await mailNotifications({ ...options, db: app.pool, mail })
  app.dispatcher.look()
}

const waiting = () =>
  run(
    app.db,
  )`select id from notification where id_space = ${space.id_space} and mail_at is not null`
const queued = () =>
  run(app.db)`select kind from mail_out where id_space = ${space.id_space} order by id`
/** Those that were not tried yet, and whatever is being sent. */
const untried = () =>
  run(app.db)`select id from mail_out where id_space = ${space.id_space} and state = 'queued'
        and attempts = 0
      union all
      select id from delivery_queue where id_space = ${space.id_space} and lease is not null`
const sent = () => smtp.received.map(({ mail: { subject, text = '' } }) => ({ subject, text }))

test('a reminder that is due is sent at once, as a link without names', async () => {
  const { body: lead } = await space.post('/lead', { first_name: 'Ada', last_name: 'Lovelace' })
  const date = app.clock.now.toISOString()
  await space.post('/reminders', { name: 'Call Ada', date, id_lead: lead.id })
  await fireReminders({ ...options, db: app.db })
  await expect.poll(waiting).toHaveLength(1)
  await tick()
  await smtp.until(1)
  const [first] = sent()
  expect(first).toMatchObject({ subject: 'A reminder is due' })
  expect(first?.text).toContain(`https://crm.example.com/lead/${lead.id}`)
  expect(smtp.received[0]?.raw).not.toMatch(/Ada|Lovelace/)
  expect(await waiting()).toEqual([])
  await tick()
  expect(await queued()).toHaveLength(1)
})

test('quiet hours put mail off, and what is read meanwhile is not sent', async () => {
  // 10:00 in Berlin.
  await settings({ quiet_hours: { from: 9, to: 12 } })
  const read = await remind('Read before')
  await remind('Sent later')
  await tick()
  expect(await queued()).toHaveLength(1)
  await space.post('/notifications/read', { ids: [read] })
  app.clock.advance(2 * hour - 1)
  await tick()
  expect(await queued()).toHaveLength(1)
  app.clock.advance(1)
  await tick()
  await smtp.until(2)
  expect(await queued()).toHaveLength(2)
  await settings({ quiet_hours: null })
})

test('a digest comes at its hour, once, with all of the day', async () => {
  // 12:00 in Berlin.
  await settings({ kinds: { reminder: 'digest' }, digest_hour: 7 })
  await remind('One')
  await tick()
  app.clock.advance(5 * hour)
  await remind('Two')
  await tick()
  expect(await queued()).toHaveLength(2)
  app.clock.advance(14 * hour)
  await tick()
  await smtp.until(3)
  expect(sent().at(-1)).toMatchObject({ subject: '2 notifications' })
  expect(await queued()).toHaveLength(3)
})

test('who wants no mail gets none, and nothing old is sent when mail is set up', async () => {
  await settings({ kinds: { reminder: 'page' } })
  await remind('Page only')
  await tick()
  await settings({ kinds: { reminder: 'mail' } })
  await remind('Too old')
  app.clock.advance(25 * hour)
  await tick()
  expect(await waiting()).toEqual([])
  expect(await queued()).toHaveLength(3)
})

test('one click in a mail program turns mail off; looking at its link changes nothing', async () => {
  const before = smtp.received.length
  await settings({ quiet_hours: { from: 1, to: 2 } })
  await remind('Last one')
  await tick()
  const [mail] = (await smtp.until(before + 1)).slice(before)
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const [, path = ''] =
    /^List-Unsubscribe:\s+<https:\/\/crm\.example\.com(\/.*)>\r$/m.exec(mail?.raw ?? '') ?? []
  const kinds = async () => (await space.get('/notifications/settings')).body.kinds
  const chosen = await kinds()
  expect(chosen.reminder).toBe('mail')
  const { status, headers } = await app.request(path)
  expect([status, headers.get('location')]).toEqual([302, '/settings/notifications'])
  const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const post = (to: string, body: URLSearchParams | FormData | string = '') =>
    app.request(to, { method: 'POST', body })
  expect((await post(path)).status).toBe(400)
  expect((await post(path.slice(0, -2), form)).status).toBe(404)
  expect((await post('/unsubscribe/ru_', form)).status).toBe(404)
  expect(await kinds()).toEqual(chosen)
  smtp.behave('ann@example.com', 450)
  await remind('Waits for the server')
  await tick()
  await expect.poll(untried).toEqual([])
  const parts = new FormData()
  parts.append('List-Unsubscribe', 'One-Click')
  // Twice, in both forms that mail programs use.
  for (const body of [form, parts]) expect(await post(path, body)).toMatchObject({ status: 200 })
  expect(new Set(Object.values(await kinds()))).toEqual(new Set(['page']))
  const { body } = await space.get('/notifications/settings')
  expect(body.quiet_hours).toEqual({ from: 1, to: 2 })
  smtp.behave('ann@example.com', 'accept')
  app.clock.advance(hour)
  await remind('Inbox only')
  await tick()
  await expect.poll(untried).toEqual([])
  expect(smtp.received).toHaveLength(before + 1)
  await settings({ kinds: chosen, quiet_hours: null })
})

test('a mail server that is away for a day gets one mail afterward', async () => {
  const before = smtp.received.length
  smtp.behave('ann@example.com', 'cut before')
  const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
  for (const name of names) {
    await remind(name)
    await tick()
    await expect.poll(untried).toEqual([])
    app.clock.advance(4 * hour)
  }
  smtp.behave('ann@example.com', 'accept')
  await tick()
  await smtp.until(before + 1)
  await expect.poll(untried).toEqual([])
  expect(sent().slice(before)).toEqual([
    { subject: '6 notifications', text: expect.stringMatching(/(A reminder is due\n.*\n\n){6}/) },
  ])
})

test('who wants that gets names and texts, of which none of an erased lead waits', async () => {
  await settings({ details: true })
  const before = smtp.received.length
  const other = app.as(await app.key(space, 'write', await app.member(space)))
  const ids: string[] = []
  smtp.behave('ann@example.com', 450)
  for (const name of ['Grace', 'Alan']) {
    const { body } = await space.post('/lead', { first_name: name })
    ids.push(body.id)
    const content = `**Ask** <@${space.owner}>\n\n<b>now</b>, says ${name}`
    await other.post('/notes', { id_lead: body.id, content })
  }
  await expect.poll(waiting).toHaveLength(2)
  await tick()
  await expect.poll(untried).toEqual([])
  const { body } = await space.post('/operations/preview', {
    ...{ kind: 'erase', filter: { leads: [ids[0]] }, data: {} },
  })
  await space.post('/leads/erase', { filter: { leads: [ids[0]] }, confirm: body.confirm })
  const left = async () => JSON.stringify(await run(app.db)`select content from mail_out`)
  await expect.poll(left).not.toContain('Grace')
  smtp.behave('ann@example.com', 'accept')
  app.clock.advance(hour)
  await tick()
  await smtp.until(before + 1)
  const got = smtp.received[before]
  expect(got?.mail.subject).toBe('2 notifications')
  expect(got?.mail.text).toContain(
    `Alan: **Ask** @Member owner <b>now</b>, says Alan\nhttps://crm.example.com/lead/${ids[1]}`,
  )
  expect(got?.mail.text).toContain(
    `You were mentioned in a note\nhttps://crm.example.com/lead/${ids[0]}`,
  )
  expect(got?.mail.html).toContain('&lt;b&gt;now&lt;/b&gt;')
  expect(got?.raw).not.toContain('Grace')
})

test('a flood becomes a few mails of a length that a server takes', async () => {
  await run(
    app.db,
  )`insert into notification (id_space, id, id_member, kind, id_record, count, created_at)
      select ${space.id_space}, gen_random_uuid(), ${space.owner}, 'mention', gen_random_uuid(), 1,
        ${app.clock.now}
      from generate_series(1, 900)`
  const rows = (await queued()).length
  const before = smtp.received.length
  await tick()
  expect((await queued()).length - rows).toBeLessThanOrEqual(21)
  await expect.poll(untried).toHaveLength(1)
  app.clock.advance(hour / 4)
  await tick()
  await expect.poll(untried).toEqual([])
  const got = smtp.received.slice(before)
  expect(got.length).toBeLessThanOrEqual(21)
  const { mail: last } = got.at(-1) as (typeof got)[number]
  const total = Number.parseInt(last.subject ?? '', 10)
  expect(total).toBeGreaterThan(800)
  expect(last.text?.match(/You were mentioned/g)).toHaveLength(50)
  expect(last.text).toContain(`And ${total - 50} more\nhttps://crm.example.com/inbox`)
})

// Deliveries beside each other: receivers that never answer, processes that die, services without webhooks.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { inDatabase } from '../../../test/database.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { startProcess } from '../../../test/other-process.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { startSmtp } from '../../../test/smtp.ts'
import { transaction } from '../../db/driver.ts'
import { run } from '../../db/sql.ts'
import { timeLimits } from '../../http/limits.ts'
import { createMail } from '../../mail/mail.ts'
import { createSecrets } from '../../secrets.ts'

const smtp = await startSmtp()
afterAll(() => smtp.close())
const outgoing = {
  ...{ webhookAllow: ['127.0.0.0/8'], mail: smtp.settings, publicUrl: smtp.settings.page },
}
const app = service({ config: outgoing })
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})

async function makeTags(space: Workspace, count: number): Promise<number[]> {
  for (let index = 0; index < count; index++) await space.post('/tags', { name: `Tag ${index}` })
  const seqs = async () => {
    const { body } = await space.get('/events?types=tag.created&limit=1000')
    return body.events.map(({ seq }: { seq: number }) => seq)
  }
  await expect.poll(async () => (await seqs()).length).toBe(count)
  return seqs()
}

const subscribe = (space: Workspace, path: string) =>
  space.post('/webhooks', { url: receiver.url + path, types: ['tag.created'] })

test('a service without webhooks reads the queue when it starts, and then never', async () => {
  app.dispatcher.start()
  const sent = () => [...app.sent].filter((text) => text.includes('delivery_queue'))
  await expect.poll(sent).toHaveLength(1)
  await makeTags(await app.workspace(), 3)
  expect(sent()).toEqual([expect.stringMatching(/^select distinct id_space/)])
})

test.each(['before the answer', 'before it is recorded'])(
  'a process that dies %s: everything arrives, in order, what comes again has the same id',
  async (when) => {
    // Another process than that of the test sends.
    await app.dispatcher.stop()
    const space = await app.workspace()
    const path = `/${when.replaceAll(' ', '-')}`
    await subscribe(space, path)
    const seqs = await makeTags(space, 6)
    const [, , third] = seqs
    const isAnswered = when !== 'before the answer'
    receiver.answer = ({ event }, response) => {
      if (event.seq !== third || isAnswered) response.end()
    }
    const child = sendInOtherProcess()
    if (isAnswered) {
      await app.db.begin(async (tx) => {
        await expect.poll(() => receiver.seqs(path).length).toBeGreaterThan(0)
        await run(tx)`lock table webhook_attempt in access exclusive mode`
        await expect.poll(() => waiting('webhook_attempt')).not.toEqual([])
        child.kill('SIGKILL')
        await once(child, 'exit')
      })
    } else {
      await expect.poll(() => receiver.seqs(path)).toEqual(seqs.slice(0, 3))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    // Its transaction, if there is one, has ended.
    await expect.poll(backends).toEqual([])
    const sent = receiver.seqs(path).length
    receiver.answer = (_request, response) => void response.end()
    const { app: other } = await app.another()
    other.dispatcher.start()
    app.clock.advance(31_000)
    other.dispatcher.look()
    await expect.poll(() => receiver.seqs(path).at(-1)).toBe(seqs.at(-1))
    const first = receiver.seqs(path).filter((seq, at, all) => all.indexOf(seq) === at)
    expect(first).toEqual(seqs)
    // Only what was under way when it died came twice.
    expect(receiver.seqs(path).length).toBeLessThanOrEqual(seqs.length + 1)
    expect(receiver.seqs(path)[sent]).toBe(seqs[sent - 1])
    const own = receiver.received.filter((request) => request.path === path)
    expect(new Set(own.map(({ headers }) => headers['webhook-id'])).size).toBe(seqs.length)
    await other.close()
  },
)

test('a process that dies before, in or after DATA: a mail is sent at most once, and listed', async () => {
  await app.dispatcher.stop()
  const mail = createMail(smtp.settings, createSecrets('a key for tests'))
  const ways = ['hold before', 'hold in', 'hold after'] as const
  const senders = await Promise.all(
    ways.map(async (how) => {
      const space = await app.workspace()
      const { id_space, owner } = space
      const email = `${how.replace(' ', '-')}@example.com`
      await run(app.db)`update member set email = ${email} where id_space = ${id_space}`
      smtp.behave(email, how)
      const queued = { space: id_space, member: owner, now: app.clock.now, lines: [] }
      // The second one waits behind the first.
      for (const kind of ['notification', 'digest'] as const) {
        await transaction(app.db, (tx) => mail.queue(tx, { ...queued, kind, subject: kind }))
      }
      return { space, email, listed: async () => (await space.get('/mail')).body.mails }
    }),
  )
  const child = sendInOtherProcess()
  const addresses = senders.map(({ email }) => email)
  await expect.poll(() => smtp.held.toSorted()).toEqual(addresses.toSorted())
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(backends).toEqual([])
  for (const email of addresses) smtp.behave(email, 'accept')
  const { app: other } = await app.another()
  other.dispatcher.start()
  app.clock.advance(31_000)
  other.dispatcher.look()
  for (const { space, email, listed } of senders) {
    const own = () => smtp.received.filter(({ to }) => to === email)
    const subjects = () => own().map(({ mail }) => mail.subject)
    const before = email === 'hold-after@example.com' ? ['notification'] : []
    const uncertain = { kind: 'notification', state: 'uncertain', can_send: true }
    await expect.poll(listed).toMatchObject([{ ...uncertain, attempts: 1 }])
    expect((await listed())[0].last_error).toBe('Rapport stopped while it was sending this mail')
    // What had not begun is sent; what may have been is not, unless a person says so.
    expect(subjects()).toEqual([...before, 'digest'])
    await space.post(`/mail/${(await listed())[0].id}/send`)
    await expect.poll(listed).toEqual([])
    expect(subjects()).toEqual([...before, 'digest', 'notification'])
    const again = own().filter(({ mail }) => mail.subject === 'notification')
    expect(new Set(again.map(({ mail }) => mail.messageId)).size).toBe(1)
  }
  await other.close()
})

/** Another process with the service, which the test can kill. */
function sendInOtherProcess() {
  const target = inDatabase(inject('server'), app.db.options.database)
  const config = {
    ...{ host: '127.0.0.1', sessionMs: 1, logLevel: 'silent', rateLimit: 0, maxRequests: 100 },
    ...{ ...outgoing, trustProxy: [], undoKeepMs: 1, backupDir: '/nonexistent', mistyped: [] },
    ...{ slowStatementMs: 60_000, dataDir: '/nonexistent' },
    timeouts: { ordinary: 0, bulk: 0, transfer: 0, background: 0 },
  }
  return startProcess(
    (module) => `
      import { connect } from ${module('db/driver')}
      import { buildApp } from ${module('app')}
      import { createSecrets } from ${module('secrets')}
      const db = connect(${JSON.stringify(target)}, { max: 2, name: 'killed' })
      const clock = () => new Date(${app.clock.now.getTime()})
      const secrets = createSecrets('a key for tests')
      const app = buildApp({ db, config: ${JSON.stringify(config)}, clock, secrets })
      await app.ready()
      app.dispatcher.start()`,
  )
}

/** Who waits for a lock of the table. */
const waiting = (table: string) =>
  run(app.db)`select pid from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and relation = ${table}::text::regclass and not granted`

/** The connections of the process that was killed. */
const backends = () =>
  run(app.db)`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'killed'`

test('receivers that never answer delay neither 200 others of their workspace nor other workspaces', async () => {
  const limits = { ...timeLimits, attemptMs: 3_600_000 }
  const { app: sender } = await app.another(0, { limits })
  sender.dispatcher.start()
  const space = await app.workspace()
  const others = [await app.workspace(), await app.workspace()]
  const held: ServerResponse[] = []
  receiver.answer = ({ path }, response) => {
    if (path === '/dead') held.push(response)
    else response.end()
  }
  const healthy = Array.from({ length: 200 }, (_, index) => `/healthy/${index}`)
  for (let index = 0; index < 30; index++) await subscribe(space, '/dead')
  for (const path of healthy) await subscribe(space, path)
  for (const other of others) {
    for (let index = 0; index < 60; index++) await subscribe(other, '/dead')
    await makeTags(other, 1)
  }
  const seqs = await makeTags(space, 3)
  const reached = () => {
    const counts = new Map<string, number>()
    for (const { path } of receiver.received) counts.set(path, (counts.get(path) ?? 0) + 1)
    return healthy.filter((path) => counts.get(path) === 3)
  }
  await expect.poll(reached).toEqual(healthy)
  for (const path of healthy) expect(receiver.seqs(path)).toEqual(seqs)
  // The others are still being waited for. They were enough to fill all places of their workspaces.
  expect(held.length).toBeGreaterThan(48)
  for (const response of held) response.end()
  await sender.close()
})

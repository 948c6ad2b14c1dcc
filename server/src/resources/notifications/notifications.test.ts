// Who is told about what, and what they see of it.
import { beforeEach, describe, expect, test } from 'vitest'
import { openStream } from '../../../test/event-stream.ts'
import { type Client, service, type Workspace } from '../../../test/harness.ts'
import { insertLead } from '../../../test/insert-lead.ts'
import { rowValues, run, sql } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { fireReminders } from '../reminders/reminders.firing.ts'
import { pruneNotifications } from './notifications.sql.ts'

const app = service()
let space: Workspace
/** Colleagues of the owner. */
let ann: Client & { id: string }
let ben: Client & { id: string }
beforeEach(async () => {
  space = await app.workspace()
  ann = await colleague()
  ben = await colleague()
})

async function colleague() {
  const id = await app.member(space)
  return { id, ...app.as(await app.key(space, 'write', id)) }
}

const told = async (who: Client, query = '') => (await who.get(`/notifications${query}`)).body
const kindsOf = async (who: Client) =>
  (await told(who)).notifications.map(({ kind }: { kind: string }) => kind)

/** A note that mentions them all is told last: what was to be told before was told. */
async function untilTold(...others: { id: string }[]): Promise<void> {
  const content = others.map(({ id }) => `<@${id}>`).join(' ')
  const key = await app.key(space, 'write', await app.member(space))
  const { body } = await app.as(key).post('/notes', { thread_id: 'last', content })
  const isTold = sql`select 1 from notification
    where id_space = ${space.id_space} and id_record = ${body.id}`
  await expect.poll(() => run(app.db, isTold)).toHaveLength(others.length)
  await run(
    app.db,
  )`delete from notification where id_space = ${space.id_space} and id_record = ${body.id}`
}

const fire = () =>
  fireReminders({
    ...{ db: app.db, clock: () => app.clock.now },
    log: { info: () => {}, error: () => expect.unreachable() },
  })

describe('a reminder that is due', () => {
  const date = () => app.clock.now.toISOString()

  test('is told to its users, or else to the owners of its lead, or else to its author', async () => {
    const id_lead = await insertLead(app, space, { first_name: 'Ada', last_name: 'Low' })
    await ann.post('/reminders', { name: 'For Ben', date: date(), users: [ben.id], id_lead })
    await ann.post('/reminders', { name: 'For the author', date: date(), users: [] })
    await fire()
    await untilTold({ id: space.owner }, ann, ben)
    expect((await told(ben)).notifications).toMatchObject([
      {
        ...{ kind: 'reminder', text: 'For Ben', actor: null, read_at: null, created_at: date() },
        lead: { id: id_lead, name: 'Ada Low', is_deleted: false },
      },
    ])
    expect((await told(ann)).notifications).toMatchObject([{ text: 'For the author', lead: null }])
    expect(await kindsOf(space)).toEqual([])

    await space.patch(`/lead/${id_lead}`, { owners: [space.owner] })
    await ann.post('/reminders', { name: 'For the owner', date: date(), users: [], id_lead })
    await fire()
    await untilTold({ id: space.owner }, ann, ben)
    expect((await told(space)).notifications).toMatchObject([{ text: 'For the owner' }])
    expect(await kindsOf(ann)).toEqual(['reminder'])
    expect(await kindsOf(ben)).toEqual(['reminder'])
  })
})

test('a note tells those whom it mentions, once, and not its author', async () => {
  const id_lead = await insertLead(app, space, { first_name: 'Ada' })
  const content = `Ask <@${ann.id}> and <@${space.owner}>`
  const { body: note } = await space.post('/notes', { id_lead, content })
  await untilTold(ann, ben)
  const mention = { kind: 'mention', actor: space.owner, record: note.id }
  expect((await told(ann)).notifications).toMatchObject([
    { ...mention, text: content, lead: { id: id_lead, name: 'Ada' } },
  ])
  await space.patch(`/notes/${note.id}`, { content: `${content}, or <@${ben.id}>` })
  await untilTold(ann, ben)
  expect((await told(ben)).notifications).toMatchObject([mention])
  expect(await kindsOf(ann)).toEqual(['mention'])
  expect(await kindsOf(space)).toEqual([])

  await space.remove(`/notes/${note.id}`)
  expect((await told(ann)).notifications).toMatchObject([{ record: note.id, text: '' }])
  await space.patch(`/notes/${note.id}`, { is_deleted: false })
  await untilTold(ann, ben)
  expect(await kindsOf(ann)).toEqual(['mention'])
})

describe('leads that were assigned', () => {
  test('one by one: each is told to the new owner, unless they did it themselves', async () => {
    const { body: lead } = await space.post('/lead', { first_name: 'Ada', owners: [ann.id] })
    await ben.patch(`/lead/${lead.id}`, { owners: [ben.id, ann.id] })
    await untilTold(ann, ben)
    expect((await told(ann)).notifications).toMatchObject([
      { kind: 'assigned', actor: space.owner, lead: { id: lead.id }, record: null, count: 1 },
    ])
    expect(await kindsOf(ben)).toEqual([])
    // It goes with the lead.
    await ben.patch(`/lead/${lead.id}`, { owners: [space.owner] })
    await untilTold(ann, { id: space.owner })
    expect(await kindsOf(ann)).toEqual([])
    expect((await told(space)).notifications).toMatchObject([{ kind: 'assigned', actor: ben.id }])
  })

  /** With all combinations of these owners, so that hardly two leads change alike. */
  async function insertLeads(...owners: string[]): Promise<void> {
    const combinations = Array.from({ length: 2 ** owners.length }, (_, at) =>
      owners.filter((_owner, place) => at & (2 ** place)),
    )
    const leads = combinations.map((ids) => ({ id: newId(), ids }))
    const { id_space } = space
    const created_at = app.clock.now
    const rows = leads.map(({ id }) => ({ id_space, id, created_at }))
    await run(app.db)`insert into lead ${rowValues(rows)}`
    const pairs = leads.flatMap(({ id, ids }) =>
      ids.map((id_member) => ({ id_space, id_lead: id, id_member })),
    )
    await run(app.db)`insert into lead_owner ${rowValues(pairs)}`
  }

  test.each([
    ['alike', 2],
    ['in many ways', 7],
  ])('many at once, %s: one notification, which opens exactly them', async (_how, owners) => {
    const others = await Promise.all(Array.from({ length: owners }, () => app.member(space)))
    await insertLeads(...others)
    const all = 2 ** owners
    await space.patch('/leads/update-many', {
      filter: { owners: others },
      data: { owners: [ann.id, space.owner] },
    })
    await untilTold(ann, ben)
    const [only, ...more] = (await told(ann)).notifications
    expect(more).toEqual([])
    expect(only).toMatchObject({
      ...{ kind: 'assigned', actor: space.owner, lead: null, count: all - 1 },
      operation: { kind: 'update', state: 'done' },
    })
    const filter = { operation: only.record, owners: [ann.id] }
    expect((await ann.post('/leads/list', { filter })).body.total).toBe(all - 1)
    expect(await kindsOf(space)).toEqual([])

    // Undone, it is no news anymore. Done again, it is.
    const undo = await space.post(`/operations/${only.record}/undo`)
    await untilTold(ann)
    expect(await kindsOf(ann)).toEqual([])
    const redo = await space.post(`/operations/${undo.body.id}/undo`)
    await untilTold(ann)
    expect((await told(ann)).notifications).toMatchObject([
      { kind: 'assigned', actor: space.owner, record: redo.body.id, count: all - 1 },
    ])
    const again = { operation: redo.body.id, owners: [ann.id] }
    expect((await ann.post('/leads/list', { filter: again })).body.total).toBe(all - 1)
    await space.post(`/operations/${redo.body.id}/undo`)
    await untilTold(ann)
    expect(await kindsOf(ann)).toEqual([])
  })

  test('by an import: each owner is told, and who imported them when it has ended', async () => {
    const file = `first_name,owner\nAda,${ann.id}@example.com\nBo,Ben\nCy,`
    await run(
      app.db,
    )`update member set name = 'Ben' where id_space = ${space.id_space} and id = ${ben.id}`
    await run(app.db)`update member set email = ${`${ann.id}@example.com`}
        where id_space = ${space.id_space} and id = ${ann.id}`
    const { status } = await space.call('POST', '/leads/import', file, 'text/csv')
    expect(status).toBe(200)
    expect((await told(space)).notifications).toMatchObject([
      { kind: 'finished', actor: null, count: 3, operation: { kind: 'import', state: 'done' } },
    ])
    for (const who of [ann, ben]) {
      expect((await told(who)).notifications).toMatchObject([
        { kind: 'assigned', actor: space.owner, count: 1, operation: { kind: 'import' } },
      ])
    }
    // Undone, it is no news, except for the lead that somebody has changed since.
    const [{ record }] = (await told(ann)).notifications
    const filter = { operation: record, owners: [ann.id] }
    const [lead] = (await ann.post('/leads/list', { filter })).body.leads
    await ann.patch(`/lead/${lead.id}`, { city: 'Rome' })
    const undo = await space.post(`/operations/${record}/undo`)
    await untilTold(ann, ben)
    expect((await told(ann)).notifications).toMatchObject([{ kind: 'assigned', count: 1 }])
    expect(await kindsOf(ben)).toEqual([])
    await space.post(`/operations/${undo.body.id}/undo`)
    await untilTold(ann, ben)
    expect((await told(ann)).notifications).toMatchObject([{ kind: 'assigned', count: 1 }])
    expect(await kindsOf(ben)).toEqual(['assigned'])
  })
})

test('an operation in the background tells its author that it has ended or failed', async () => {
  const id = await insertLead(app, space)
  const roman = await insertLead(app, space, { city: 'Rome' })
  const leads = [id, roman]
  const wanted = { kind: 'update', filter: { leads }, data: { city: 'Rome' } }
  const start = async () => {
    const { confirm } = (await ann.post('/operations/preview', wanted)).body
    return ann.post('/operations', { ...wanted, confirm, wait: false })
  }
  const { body } = await start()
  await expect.poll(() => kindsOf(ann)).toEqual(['finished'])
  expect((await told(ann)).notifications).toMatchObject([
    { record: body.id, count: 1, operation: { kind: 'update', state: 'done' } },
  ])
  expect(await kindsOf(space)).toEqual([])

  // The lead is gone when the work begins.
  const { confirm } = (await ann.post('/operations/preview', wanted)).body
  await app.db.begin(async (tx) => {
    await run(
      tx,
    )`update lead set is_deleted = true where id_space = ${space.id_space} and id = ${id}`
    await ann.post('/operations', { ...wanted, confirm, wait: false })
  })
  await expect.poll(() => kindsOf(ann)).toEqual(['finished', 'finished'])
  expect((await told(ann)).notifications[0]).toMatchObject({
    ...{ text: expect.stringContaining('have changed'), operation: { state: 'failed' } },
  })
})

describe('the inbox', () => {
  async function mention(count: number): Promise<string[]> {
    for (let number = 1; number <= count; number++) {
      await space.post('/notes', { thread_id: 'inbox', content: `<@${ann.id}> ${number}` })
    }
    await expect.poll(async () => (await told(ann)).unread).toBe(count)
    return (await told(ann)).notifications.map(({ id }: { id: string }) => id)
  }

  test('has pages, newest first, and knows what was read', async () => {
    const ids = await mention(5)
    const page = await told(ann, '?limit=2')
    expect(page).toMatchObject({
      notifications: [{ id: ids[0] }, { id: ids[1] }],
      next: ids[1],
      unread: 5,
    })
    const next = await told(ann, `?limit=3&after=${page.next}`)
    expect(next.notifications.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect((await told(ann, `?after=${ids[4]}`)).next).toBeNull()

    // Nobody else can read them.
    await ben.post('/notifications/read', { ids, up_to: ids[0] })
    expect((await told(ann)).unread).toBe(5)
    await ann.post('/notifications/read', { ids: [ids[0], 'no id', newId()] })
    expect((await told(ann)).notifications[0].read_at).toBe(app.clock.now.toISOString())
    expect(await told(ann, '?unread=true&limit=1')).toMatchObject({
      notifications: [{ id: ids[1] }],
      unread: 4,
    })
    const { body } = await ann.post('/notifications/read', { up_to: ids[3] })
    expect(body).toBe('2 marked as read')
    expect((await told(ann, '?unread=true')).notifications).toMatchObject([
      { id: ids[1] },
      { id: ids[2] },
    ])
    expect((await ann.get('/notifications?after=x')).status).toBe(400)
    expect((await ann.get('/notifications?limit=0')).status).toBe(400)
  })

  test('the streams of the member say when it changes, and only theirs', async () => {
    const query = '?notifications=true'
    const mine = await openStream(app.url, ann.key, query)
    const theirs = await openStream(app.url, ben.key, query)
    const plain = await openStream(app.url, ann.key)
    const until = async (stream: typeof mine) => {
      for (;;) {
        const block = await stream.next()
        if (block?.lines.includes('event: notifications')) return block
        if (!block) throw new Error('The stream has ended')
      }
    }
    const [id] = await mention(1)
    expect(await until(mine)).toMatchObject({ id: undefined, event: {} })
    await ann.post('/notifications/read', { ids: [id] })
    await until(mine)
    // What the others got up to a later event of the feed.
    await space.post('/tags', { name: 'Last' })
    for (const stream of [theirs, plain]) {
      const seen: string[] = []
      for (let type = ''; type !== 'tag.created'; type = seen.at(-1) ?? '') {
        const { event } = await stream.nextEvent()
        seen.push(event.type ?? 'notifications')
      }
      expect(seen).toEqual(['note.created', 'tag.created'])
    }
    for (const stream of [mine, theirs, plain]) stream.close()
  })

  test('an erased lead takes its notifications along, and a removed member theirs', async () => {
    const { body: lead } = await space.post('/lead', {
      first_name: 'Ada',
      owners: [ann.id, ben.id],
    })
    await space.post('/notes', { id_lead: lead.id, content: `<@${ann.id}>` })
    await untilTold(ann, ben)
    expect(await kindsOf(ann)).toEqual(['mention', 'assigned'])
    const wanted = { kind: 'erase', filter: { leads: [lead.id] } }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    await space.post('/leads/erase', { filter: wanted.filter, confirm })
    expect(await kindsOf(ann)).toEqual([])

    await mention(1)
    await space.remove(`/members/${ann.id}`)
    const left = sql`select id_member from notification where id_space = ${space.id_space}`
    expect(await run(app.db, left)).toEqual([])
  })

  test('is kept small', async () => {
    const now = app.clock.now
    const row = (age: number) => ({
      ...{ id_space: space.id_space, id: newId(), id_member: ann.id, kind: 'finished', count: 1 },
      created_at: new Date(now.getTime() - age * 86_400_000),
    })
    const rows = [row(91), ...Array.from({ length: 1_002 }, () => row(89))]
    await run(app.db)`insert into notification ${rowValues(rows)}`
    await pruneNotifications(app.db, now)
    const left = await run(
      app.db,
    )`select id from notification where id_space = ${space.id_space} order by id`
    expect(left).toEqual(rows.slice(3).map(({ id }) => ({ id })))
  })
})

test('members choose how they are told', async () => {
  const standard = {
    kinds: {
      ...{ reminder: 'mail', assigned: 'digest', mention: 'mail', finished: 'page' },
      webhook: 'mail',
    },
    ...{ digest_hour: 8, quiet_hours: null, details: false, time_zone: 'UTC' },
  }
  const settings = '/notifications/settings'
  expect((await ann.get(settings)).body).toEqual(standard)
  const kinds = { ...standard.kinds, mention: 'page' }
  const quiet_hours = { from: 20, to: 7 }
  await ann.patch(settings, { kinds: { mention: 'page' } })
  const chosen = { ...standard, kinds, digest_hour: 17, quiet_hours }
  expect((await ann.patch(settings, { digest_hour: 17, quiet_hours })).body).toEqual(chosen)
  expect((await ann.get(settings)).body).toEqual(chosen)
  expect((await ben.get(settings)).body).toEqual(standard)
  expect((await ann.patch(settings, { quiet_hours: null })).body.quiet_hours).toBeNull()
  for (const wrong of [
    { kinds: { mentions: 'page' } },
    { kinds: { mention: 'sms' } },
    { digest_hour: 24 },
    { quiet_hours: { from: 1 } },
  ]) {
    expect((await ann.patch(settings, wrong)).status).toBe(400)
  }
})

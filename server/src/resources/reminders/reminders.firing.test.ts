// Firing: which reminders fire when, and that each fires once, whatever happens in the meantime.
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { inDatabase } from '../../../test/database.ts'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { insertLead } from '../../../test/insert-lead.ts'
import { connect, type Pool } from '../../db/driver.ts'
import { rowValues, run } from '../../db/sql.ts'
import { every } from '../../every.ts'
import { newId } from '../../ids.ts'
import { fireReminders } from './reminders.firing.ts'

const app = service()
let space: Workspace
let errors: { id_space?: string; cron?: string; text: string }[]
beforeEach(async () => {
  // Nothing of the test before is due anymore.
  await run(app.db)`update reminder set is_deleted = true`
  space = await app.workspace()
  errors = []
})

const log = {
  info: () => {},
  error: (about: object, text: string) => errors.push({ ...about, text }),
}
const fire = (db: Pool = app.db) => fireReminders({ db, clock: () => app.clock.now, log })

const at = (ms: number) => new Date(app.clock.now.getTime() + ms).toISOString()
const create = async (body: object, by = space) =>
  (await by.post('/reminders', { name: 'Call', ...body })).body
const get = async (id: string, by = space) => (await by.get(`/reminders/${id}`)).body
const patch = (id: string, body: object) => space.patch(`/reminders/${id}`, body)
const firings = (by = space) =>
  run(app.db)`
  select * from reminder_firing where id_space = ${by.id_space} order by due_at, id_reminder`
const dueTimes = async () => (await firings()).map(({ due_at }) => due_at)

describe('a reminder without cron', () => {
  test('fires once, at its date, with all its data', async () => {
    const id_lead = await insertLead(app, space)
    const sent = { name: 'Call Ada', id_lead, ressource_link: 'https://example.com' }
    const { id, date } = await create({ ...sent, date: at(60_000) })
    expect(await fire()).toBe(0)
    app.clock.advance(59_999)
    expect(await fire()).toBe(0)
    app.clock.advance(1)
    expect(await fire()).toBe(1)
    expect(await firings()).toEqual([
      {
        id_space: space.id_space,
        id_reminder: id,
        due_at: date,
        fired_at: app.clock.now.toISOString(),
        payload: { ...sent, cron: '', users: [space.owner] },
      },
    ])
    expect(await get(id)).toMatchObject({ date, is_done: false })
    app.clock.advance(3_600_000)
    expect(await fire()).toBe(0)
    expect(await firings()).toHaveLength(1)
  })

  test('fires again only for a new date', async () => {
    const first = at(0)
    const { id } = await create({ date: first })
    expect(await fire()).toBe(1)
    await patch(id, { is_done: true })
    await patch(id, { is_done: false, date: first, name: 'Other' })
    expect(await fire()).toBe(0)
    const second = at(1000)
    await patch(id, { date: second })
    app.clock.advance(1000)
    expect(await fire()).toBe(1)
    // It has fired for this date before: the table accepts no second firing.
    await patch(id, { date: first })
    expect(await fire()).toBe(0)
    expect(await dueTimes()).toEqual([first, second])
  })

  test('that is done does not fire until it is set to not done', async () => {
    const { id } = await create({ date: at(0) })
    await patch(id, { is_done: true })
    expect(await fire()).toBe(0)
    await patch(id, { is_done: false })
    expect(await fire()).toBe(1)
  })

  test('that is deleted does not fire', async () => {
    const { id } = await create({ date: at(0) })
    await space.remove(`/reminders/${id}`)
    expect(await fire()).toBe(0)
  })

  test('of a deleted lead does not fire, and is not selected again', async () => {
    const id_lead = await insertLead(app, space)
    const { id } = await create({ date: at(0), id_lead })
    await run(app.db)`update lead set is_deleted = true where id = ${id_lead}`
    expect(await fire()).toBe(0)
    expect(await firings()).toEqual([])
    const [row] = await run(app.db)`select fired_at from reminder where id = ${id}`
    expect(row?.fired_at).toBe(at(0))
  })
})

describe('a recurring reminder', () => {
  test('fires at each occurrence, and is not done again after each', async () => {
    app.clock.now = new Date('2026-03-02T08:00:00Z')
    const { id, cron_id } = await create({ cron: '0 9 * * 1-5' })
    const days = [
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
      '2026-03-05',
      '2026-03-06',
      '2026-03-09',
    ]
    for (const [index, day] of days.entries()) {
      expect(await get(id)).toMatchObject({
        date: `${day}T09:00:00.000Z`,
        is_done: index > 0,
        cron_id,
      })
      app.clock.now = new Date(`${day}T09:00:00Z`)
      expect(await fire()).toBe(1)
      expect(await fire()).toBe(0)
      expect(await get(id)).toMatchObject({ is_done: false, updated_at: at(0) })
      await patch(id, { is_done: true })
    }
    expect(await dueTimes()).toEqual(days.map((day) => `${day}T09:00:00.000Z`))
  })

  test('fires once for all occurrences that it missed', async () => {
    app.clock.now = new Date('2026-03-02T08:30:20Z')
    const { id } = await create({ cron: '*/5 * * * *' })
    app.clock.now = new Date('2026-03-09T10:02:30Z')
    expect(await fire()).toBe(1)
    expect(await dueTimes()).toEqual(['2026-03-02T08:35:00.000Z'])
    expect(await get(id)).toMatchObject({ date: '2026-03-09T10:05:00.000Z' })
  })

  test('that fires a little late keeps its schedule', async () => {
    app.clock.now = new Date('2026-03-02T08:59:00Z')
    const { id } = await create({ cron: '0 * * * *' })
    app.clock.now = new Date('2026-03-02T09:00:00.001Z')
    await fire()
    expect(await get(id)).toMatchObject({ date: '2026-03-02T10:00:00.000Z' })
  })

  test('counts as fired when its cron is removed, and fires again with a new cron', async () => {
    app.clock.now = new Date('2026-03-02T09:00:00Z')
    const date = at(0)
    const { id } = await create({ date })
    expect(await fire()).toBe(1)
    await patch(id, { cron: '0 10 * * *', date })
    // It has fired for this date already. The new cron continues from it.
    expect(await fire()).toBe(0)
    expect(await get(id)).toMatchObject({ date: '2026-03-02T10:00:00.000Z' })
    await patch(id, { cron: null })
    app.clock.now = new Date('2026-03-02T10:00:00Z')
    expect(await fire()).toBe(1)
    app.clock.now = new Date('2026-03-03T10:00:00Z')
    expect(await fire()).toBe(0)
  })

  test.each([
    // Clocks go forward on 29 March 2026 in Paris: 02:30 does not exist, and 03:00 follows 01:59.
    ['Europe/Paris', '0 9 * * *', '2026-03-28T07:00:00Z', ['28T08:00', '29T07:00', '30T07:00']],
    ['Europe/Paris', '30 2 * * *', '2026-03-28T00:00:00Z', ['28T01:30', '29T01:00', '30T00:30']],
    ['Europe/Paris', '0 * * * *', '2026-03-29T00:30:00Z', ['29T01:00', '29T02:00']],
    // They go back on 25 October 2026: 02:30 occurs twice, and the reminder fires once.
    ['Europe/Paris', '0 9 * * *', '2026-10-24T06:00:00Z', ['24T07:00', '25T08:00', '26T08:00']],
    ['Europe/Paris', '30 2 * * *', '2026-10-24T00:00:00Z', ['24T00:30', '25T00:30', '26T01:30']],
    ['Europe/Paris', '0 * * * *', '2026-10-24T23:30:00Z', ['25T00:00', '25T01:00', '25T02:00']],
    // New York: 8 March and 1 November 2026.
    ['America/New_York', '0 9 * * *', '2026-03-07T12:00:00Z', ['07T14:00', '08T13:00', '09T13:00']],
    ['America/New_York', '30 1 * * *', '2026-11-01T00:00:00Z', ['01T05:30', '02T06:30']],
  ])('in %s keeps %s across the change of clocks after %s', async (zone, cron, start, expected) => {
    await run(app.db)`update space set time_zone = ${zone} where id_space = ${space.id_space}`
    app.clock.now = new Date(start)
    const { id } = await create({ cron })
    for (const _ of expected) {
      app.clock.now = new Date((await get(id)).date)
      expect(await fire()).toBe(1)
    }
    expect(await dueTimes()).toEqual(expected.map((time) => `${start.slice(0, 8)}${time}:00.000Z`))
  })
})

describe('a fault in one workspace', () => {
  test('a bad time zone or cron does not stop other workspaces', async () => {
    const badZone = await app.workspace()
    const badCron = await app.workspace()
    const first = await create({ date: at(-2000), cron: '0 9 * * *' }, badZone)
    const broken = await create({ date: at(-1000), cron: '0 9 * * *' }, badCron)
    await create({ date: at(0) })
    await run(app.db)`update space set time_zone = 'No/Where' where id_space = ${badZone.id_space}`
    await run(app.db)`update reminder set cron = 'rubbish' where id = ${broken.id}`
    expect(await fire()).toBe(3)
    expect(errors).toEqual([
      {
        id_space: badCron.id_space,
        id_reminder: broken.id,
        cron: 'rubbish',
        text: 'reminder has no next occurrence',
      },
    ])
    // UTC replaces the bad zone. The reminder without a next occurrence does not fire again.
    expect((await get(first.id, badZone)).date).toMatch(/T09:00:00.000Z$/)
    app.clock.advance(1000)
    expect(await fire()).toBe(0)
    await badCron.patch(`/reminders/${broken.id}`, { cron: '* * * * *' })
    app.clock.advance(60_000)
    expect(await fire()).toBe(1)
  })

  test('a workspace that fails is tried again the next time', async () => {
    const failing = await app.workspace()
    await create({ date: at(-1000) }, failing)
    await create({ date: at(0) })
    await app.db.unsafe(
      `alter table reminder_firing add constraint broken check (id_space <> '${failing.id_space}') not valid`,
    )
    expect(await fire()).toBe(1)
    expect(errors).toMatchObject([{ id_space: failing.id_space, text: 'cannot fire reminders' }])
    await run(app.db)`alter table reminder_firing drop constraint broken`
    expect(await fire()).toBe(1)
    expect(await firings(failing)).toHaveLength(1)
  })
})

describe('changes while firing', () => {
  test('a reminder that is changed between reading and claiming does not fire', async () => {
    const { id } = await create({ date: at(0) })
    const later = at(60_000)
    const overtaken = new Proxy(app.db, {
      get(db, name) {
        if (name !== 'begin') return Reflect.get(db, name)
        return async (work: never) => {
          await patch(id, { date: later })
          return db.begin(work)
        }
      },
    })
    expect(await fire(overtaken)).toBe(0)
    expect(await firings()).toEqual([])
    app.clock.advance(60_000)
    expect(await fire()).toBe(1)
    expect(await dueTimes()).toEqual([later])
  })

  test('a reminder that is locked is skipped, and fires the next time', async () => {
    const { id } = await create({ date: at(-1) })
    await create({ date: at(0) })
    await app.db.begin(async (tx) => {
      await run(
        tx,
      )`select id from reminder where id_space = ${space.id_space} and id = ${id} for update`
      // If it waited, it would do so without end.
      expect(await fire()).toBe(1)
    })
    expect(await fire()).toBe(1)
  })
})

async function insertDue(count: number, spaces: Workspace[], cron = ''): Promise<void> {
  const time = at(-1000)
  const rows = Array.from({ length: count }, (_, index) => ({
    id_space: spaces[index % spaces.length]?.id_space as string,
    id: newId(),
    name: `Reminder ${index}`,
    ressource_link: '',
    date: time,
    cron,
    created_at: time,
    updated_at: time,
  }))
  await run(app.db)`insert into reminder ${rowValues(rows)}`
}

test('one call fires everything that is due, in batches', async () => {
  const spaces = [space, await app.workspace(), await app.workspace()]
  await insertDue(1234, spaces)
  expect(await fire()).toBe(1234)
  expect(await fire()).toBe(0)
  const counts = await Promise.all(spaces.map(async (by) => (await firings(by)).length))
  expect(counts).toEqual([412, 411, 411])
})

test('concurrent processes fire each reminder once', async () => {
  const spaces = await Promise.all(Array.from({ length: 5 }, () => app.workspace()))
  await insertDue(100, spaces)
  await insertDue(100, spaces, '0 9 * * *')
  const target = inDatabase(inject('server'), app.db.options.database)
  const pools = Array.from({ length: 4 }, () => connect(target, { max: 2 }))
  try {
    const runs = pools.flatMap((db) => [fire(db), fire(db)])
    const fired = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0)
    expect(fired).toBe(200)
    expect(errors).toEqual([])
    const rows = (await Promise.all(spaces.map(firings))).flat()
    expect(rows).toHaveLength(200)
    expect(new Set(rows.map(({ id_reminder }) => id_reminder)).size).toBe(200)
  } finally {
    await Promise.all(pools.map((pool) => pool.end()))
  }
})

describe('start and stop', () => {
  const polling = (db: Pool, clock = () => app.clock.now) =>
    every(1, 'reminders', log, (signal) => fireReminders({ db, clock, log, signal }))

  test('fires repeatedly until it is stopped', async () => {
    const running = polling(app.db)
    await create({ date: at(0) })
    await expect.poll(firings).toHaveLength(1)
    await running.stop()
    let asked = 0
    const stopped = polling(app.db, () => {
      asked++
      return app.clock.now
    })
    await stopped.stop()
    await create({ date: at(0) })
    expect([asked, (await firings()).length]).toEqual([0, 1])
  })

  test('stop waits for the run in progress', async () => {
    await create({ date: at(0) })
    let isStopped = false
    let stopping: Promise<void> | undefined
    await app.db.begin(async (tx) => {
      await run(tx)`lock table reminder_firing in access exclusive mode`
      const running = polling(app.db)
      const waiting = () =>
        run(tx)`select from pg_locks join pg_database on pg_database.oid = database
            where datname = current_database()
              and relation = 'reminder_firing'::regclass and not granted`
      await expect.poll(waiting).toHaveLength(1)
      stopping = running.stop().then(() => {
        isStopped = true
      })
      await run(tx)`select 1`
      expect(isStopped).toBe(false)
    })
    await stopping
    expect(await firings()).toHaveLength(1)
  })

  test('the loss of the database is logged once, not at every run', async () => {
    let tries = 0
    const away = connect({ host: '127.0.0.1', port: 1, database: 'x', username: 'x' }, { max: 1 })
    const running = polling(away, () => {
      tries++
      return app.clock.now
    })
    await expect.poll(() => tries).toBeGreaterThan(2)
    await running.stop()
    expect(errors.map(({ text }) => text)).toEqual(['reminders fail'])
    await away.end()
  })
})

describe('events', () => {
  const types = ['reminder.due', 'reminder.updated'] as const
  const events = async () =>
    (await writtenEvents(app.db, space, ...types)).filter(({ way }) => way === 'schedule')

  test('a firing leaves reminder.due with what a client shows, and nothing else', async () => {
    const id_lead = await insertLead(app, space)
    const { id, date } = await create({ name: 'Call Ada', id_lead, date: at(0) })
    await fire()
    expect(await events()).toEqual([
      {
        type: 'reminder.due',
        at: at(0),
        ...{ id_member: null, id_key: null, way: 'schedule', request_id: null },
        ids: [id],
        leads: [id_lead],
        changed: {
          name: [null, 'Call Ada'],
          date: [null, date],
          id_lead: [null, id_lead],
          users: [null, [space.owner]],
          ressource_link: [null, ''],
          cron: [null, ''],
        },
      },
    ])
  })

  test('the next date of a recurring one is a change of its own, after it', async () => {
    app.clock.now = new Date('2026-03-02T08:00:00Z')
    const { id, date } = await create({ cron: '0 9 * * *' })
    await patch(id, { is_done: true })
    app.clock.now = new Date(date)
    await fire()
    expect(await events()).toMatchObject([
      { type: 'reminder.due', ids: [id], leads: [], changed: { date: [null, date] } },
      { type: 'reminder.updated', ids: [id], leads: [] },
    ])
    expect((await events())[1]?.changed).toEqual({
      date: [date, '2026-03-03T09:00:00.000Z'],
      is_done: [true, false],
    })
  })

  test('one of a deleted lead is not due, but advances', async () => {
    const id_lead = await insertLead(app, space)
    const { id, date } = await create({ cron: '0 9 * * *', id_lead })
    await run(app.db)`update lead set is_deleted = true where id = ${id_lead}`
    app.clock.now = new Date(date)
    await fire()
    expect(await events()).toMatchObject([
      { type: 'reminder.updated', ids: [id], leads: [id_lead] },
    ])
  })

  test('concurrent processes leave one each time, and a date that has fired leaves none', async () => {
    const { id, date } = await create({ date: at(0) })
    await Promise.all([fire(), fire(), fire()])
    await patch(id, { date: at(1000) })
    await patch(id, { date })
    await fire()
    expect(await events()).toMatchObject([{ type: 'reminder.due', ids: [id] }])
  })

  test('tells which workspaces have changed', async () => {
    await create({ date: at(0) })
    const changed: string[] = []
    const onChange = (id: string) => changed.push(id)
    await fireReminders({ db: app.db, clock: () => app.clock.now, log, onChange })
    await fireReminders({ db: app.db, clock: () => app.clock.now, log, onChange })
    expect(changed).toEqual([space.id_space])
  })
})

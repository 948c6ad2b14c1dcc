import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { run } from '../db/sql.ts'
import { nextOccurrence } from '../resources/reminders/reminders.recurrence.ts'
import { ruleOf } from './rrule.ts'

const app = service()

const fetchCalendar = (address: string) => app.request(new URL(address).pathname)

/** The events of a calendar as another program reads them. */
function eventsIn(file: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(file))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(zone)
  }
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

/** The first occurrences. */
function times(event: ICAL.Event, count: number): string[] {
  const iterator = event.iterator()
  return Array.from({ length: count }, () => iterator.next().toJSDate().toISOString())
}

/** With the sign-in of its owner. */
async function subscribed(space: Workspace): Promise<{ address: string; text(): Promise<string> }> {
  const person = await app.person(space)
  const { body } = await person.post('/calendar')
  return {
    address: body.address,
    text: async () => (await fetchCalendar(body.address)).text,
  }
}

test('a calendar has the open reminders of its member, and nobody else’s', async () => {
  const space = await app.workspace()
  const { address, text } = await subscribed(space)
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar\/rc_[\w-]{43}\.ics$/)
  const name = `Call “Grace”; ask, then\nwrite to ${'é'.repeat(80)} \\o/`
  const date = '2026-03-05T10:30:00.000Z'
  const { body: own } = await space.post('/reminders', { name, date })
  const other = await app.member(space)
  await space.post('/reminders', { name: 'Not mine', date, users: [other] })
  const { body: done } = await space.post('/reminders', { name: 'Done', date })
  await space.patch(`/reminders/${done.id}`, { is_done: true })
  const { body: lead } = await space.post('/lead', { owners_connect: [space.owner] })
  await space.post('/reminders', { name: 'Of my lead', date, id_lead: lead.id, users: [] })
  const file = await text()
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  const events = eventsIn(file)
  expect(events.map(({ summary }) => summary).sort()).toEqual([name, 'Of my lead'].sort())
  const event = events.find(({ uid }) => uid === `${own.id}@rapport`)
  expect(event?.startDate.toJSDate().toISOString()).toBe(date)
  // The same again: a calendar program knows it.
  expect(eventsIn(await text()).map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid))
})

test.each(['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'UTC'])(
  'recurring reminders recur in a calendar as they fire, in %s',
  async (zone) => {
    const space = await app.workspace()
    await run(app.db)`update space set time_zone = ${zone} where id_space = ${space.id_space}`
    const crons = ['0 9 * * 1-5', '30 18 * * *', '0 8 1,15 * *', '15 7 29 feb *', '0 9,17 * * mon']
    for (const cron of crons) await space.post('/reminders', { name: cron, cron })
    const { text } = await subscribed(space)
    const events = eventsIn(await text())
    expect(events).toHaveLength(crons.length)
    for (const event of events) {
      // Past many changes of the clocks. A calendar program asks for the next ones in time.
      const end = app.clock.now.getTime() + 4 * 365 * 86_400_000
      const fires: string[] = []
      let time = nextOccurrence(event.summary, zone, app.clock.now) as Date
      while (time.getTime() < end && fires.length < 240) {
        fires.push(time.toISOString())
        time = nextOccurrence(event.summary, zone, time) as Date
      }
      expect(times(event, fires.length), event.summary).toEqual(fires)
    }
  },
)

test('a schedule that no rule says is its next occurrence; one that was moved is two events', async () => {
  expect(ruleOf('0 9 13 * 5')).toBeUndefined()
  expect(ruleOf('*/5 * * * *')).toBeUndefined()
  expect(ruleOf('0 9 L * *')).toBeUndefined()
  expect(ruleOf('0 9 * * sun,1-2')).toBe('FREQ=WEEKLY;BYDAY=SU,MO,TU')
  expect(ruleOf('0 0 1 1,7 *')).toBe('FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1')
  const space = await app.workspace()
  const { body } = await space.post('/reminders', { name: 'Friday 13', cron: '0 9 13 * 5' })
  const moved = { name: 'Moved', cron: '0 9 * * 1', date: '2026-03-10T15:00:00.000Z' }
  const { body: other } = await space.post('/reminders', moved)
  const { text } = await subscribed(space)
  const events = new Map(eventsIn(await text()).map((event) => [event.uid, event]))
  const start = (uid: string) => events.get(uid)?.startDate.toJSDate().toISOString()
  expect(start(`${body.id}@rapport`)).toBe(body.date)
  expect(events.get(`${body.id}@rapport`)?.isRecurring()).toBe(false)
  expect(start(`${other.id}-moved@rapport`)).toBe(moved.date)
  expect(start(`${other.id}@rapport`)).toBe('2026-03-16T09:00:00.000Z')
})

test('an address can be renewed and revoked, ends with its member, and is asked only so often', async () => {
  const space = await app.workspace()
  expect((await space.get('/calendar')).body).toEqual({ created_at: null })
  const first = await subscribed(space)
  expect((await space.get('/calendar')).body).toEqual({ created_at: app.clock.now.toISOString() })
  const stored = await run(app.db)`select hash from calendar_token`
  expect(JSON.stringify(stored)).not.toContain(first.address.slice(-20, -4))
  const second = await subscribed(space)
  expect((await fetchCalendar(first.address)).status).toBe(404)
  expect(await fetchCalendar(second.address)).toMatchObject({ status: 200 })
  await space.remove('/calendar')
  expect((await fetchCalendar(second.address)).status).toBe(404)
  const member = await app.member(space)
  // A key could make itself a way in that outlives it.
  for (const role of ['read', 'admin'] as const) {
    const refused = await app.as(await app.key(space, role)).post('/calendar')
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, 'needs_person'])
  }
  const theirs = (await (await app.person(space, member)).post('/calendar')).body.address
  expect((await fetchCalendar(theirs)).status).toBe(200)
  // No key of the API.
  const token = theirs.split('/').at(-1).replace('.ics', '')
  expect((await app.as(token).get('/me')).status).toBe(401)
  await run(app.db)`update guess_budget set hour_used = 240 where subject like 'calendar %'`
  expect((await fetchCalendar(theirs)).status).toBe(429)
  await run(app.db)`delete from guess_budget where subject like 'calendar %'`
  await space.remove(`/members/${member}`)
  expect((await fetchCalendar(theirs)).status).toBe(404)
})

// A clock that jumps forward and back, with several schedulers at once.

import type { Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import type { Random } from '../src/random.ts'
import { fireReminders } from '../src/resources/reminders/reminders.firing.ts'
import type { Client } from './client.ts'
import { Breach } from './torture.ts'

/** Far ahead of the server's own clock, so that its scheduler does not touch these reminders. */
const start = Date.parse('2040-01-01T00:00:00Z')
const hour = 3_600_000
const days = 10
const schedulers = 3

/** Returns how many reminders fired. */
export async function jumpingClock(
  client: Client,
  db: Pool,
  jumps: number,
  random: Random,
): Promise<number> {
  const once = new Map<string, string>()
  for (let count = 0; count < 60; count++) {
    const date = new Date(start + random.between(1, days * 24) * hour).toISOString()
    const body = { name: 'Once', date, ...(count % 6 === 0 && { cron: '0 * * * *' }) }
    const reminder = await client.send({ method: 'POST', path: '/reminders', body })
    if (!body.cron) once.set(reminder.id, date)
  }
  let now = start
  let fired = 0
  const log = { info() {}, error: (about: object, text: string) => problems.push({ about, text }) }
  const problems: object[] = []
  const team = Array.from({ length: schedulers }, () => {
    // Clocks of different machines differ.
    const skewMs = random.between(0, 60) * 60_000
    return () => fireReminders({ db, clock: () => new Date(now + skewMs), log })
  })
  const tick = async () => {
    for (const count of await Promise.all(team.map((fire) => fire()))) fired += count
  }
  for (let jump = 0; jump < jumps; jump++) {
    now += random.between(-36, 48) * hour
    await tick()
  }
  now = Math.max(now, start + (days + 2) * 24 * hour)
  await tick()
  if (problems.length > 0)
    throw new Breach(`Firing reminders logged an error: ${JSON.stringify(problems[0])}`)
  await checkFirings(db, once, fired, now)
  return fired
}

async function checkFirings(
  db: Pool,
  once: Map<string, string>,
  fired: number,
  now: number,
): Promise<void> {
  const firings = await run<{ id_reminder: string; due_at: string; fired_at: string }[]>(db)`
    select id_reminder, due_at, fired_at from reminder_firing where due_at >= ${new Date(start)}`
  const early = firings.find(({ due_at, fired_at }) => fired_at < due_at)
  if (early) throw new Breach(`A reminder fired before its time: ${JSON.stringify(early)}`)
  if (firings.length !== fired) {
    throw new Breach(`${fired} reminders fired, but there are ${firings.length} firings`)
  }
  for (const [id, date] of once) {
    const mine = firings.filter(({ id_reminder }) => id_reminder === id)
    if (mine.length !== 1 || mine[0]?.due_at !== date) {
      throw new Breach(`A reminder for ${date} has these firings: ${JSON.stringify(mine)}`)
    }
  }
  const [stuck] = await run(db)`
    select id, date from reminder
    where cron <> '' and date between ${new Date(start)} and ${new Date(now)}`
  if (stuck) throw new Breach(`A recurring reminder did not advance: ${JSON.stringify(stuck)}`)
}

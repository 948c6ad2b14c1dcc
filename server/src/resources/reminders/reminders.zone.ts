// Recurring reminders follow their workspace to another time zone: what was due at nine is due at nine there.
import type { Db } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import { recordAllUpdated } from '../../feed/record.sql.ts'
import { Pace } from '../../pace.ts'
import { clockAt, timeAt } from '../../time-zone.ts'
import { nextOccurrence } from './reminders.recurrence.ts'
import { lockRecurring, moveReminders, type Recurring } from './reminders.zone.sql.ts'

export async function moveToZone(tx: Db, by: Author, from: string, to: string): Promise<void> {
  const all = await lockRecurring(tx, by.space, by.now)
  const dates = await new Pace().map(all, (reminder) => dateInZone(reminder, by.now, from, to))
  const before = all.filter((_, at) => dates[at])
  if (before.length === 0) return
  const after = all.flatMap((reminder, at) => {
    const date = dates[at]
    return date ? [{ ...reminder, date }] : []
  })
  await moveReminders(tx, by.space, after, by.now)
  const leadsOf = ({ id_lead }: Recurring) => (id_lead === null ? [] : [id_lead])
  await recordAllUpdated(tx, by, 'reminder', before, after, leadsOf)
}

/** Undefined if somebody chose the date: it is no occurrence, and stays. */
function dateInZone({ date, cron }: Recurring, now: Date, from: string, to: string) {
  const time = Date.parse(date)
  if (nextOccurrence(cron, from, new Date(time - 1))?.getTime() !== time) return undefined
  const same = Date.parse(timeAt(new Date(clockAt(time, from)).toISOString(), to))
  return nextOccurrence(cron, to, new Date(Math.max(same - 1, now.getTime())))?.toISOString()
}

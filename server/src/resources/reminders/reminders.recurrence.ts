// When a recurring reminder is due next. Croner knows the calendar, daylight saving time included: a
// time that the clocks skip comes right after the gap, and a time that they repeat comes once.
import { Cron } from 'croner'
import { selectSpace } from '../../access/access.sql.ts'
import type { Db } from '../../db/driver.ts'
import { isTimeZone } from '../../time-zone.ts'

/** The next occurrence strictly after a time; undefined when the cron is bad or never comes. */
export function nextOccurrence(cron: string, timeZone: string, after: Date): Date | undefined {
  // Croner also takes nicknames and dates, which are single words.
  if (cron.trim().split(/\s+/).length !== 5) return undefined
  try {
    return new Cron(cron, { mode: '5-part', timezone: timeZone }).nextRun(after) ?? undefined
  } catch {
    return undefined
  }
}

/** UTC when the workspace has no time zone, or one that this version of Node does not know. */
export async function timeZoneOf(db: Db, space: string): Promise<string> {
  const { time_zone = 'UTC' } = (await selectSpace(db, space)) ?? {}
  return isTimeZone(time_zone) ? time_zone : 'UTC'
}

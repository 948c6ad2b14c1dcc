// When a recurring reminder comes next. Croner does the calendar, daylight saving included: a time
// that the clocks skip comes right after the gap, one that they repeat comes once.
import { Cron } from 'croner'
import { selectSpace } from '../../access/access.sql.ts'
import type { Db } from '../../db/connect.ts'

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

/** UTC stands in for a time zone that this program does not know, as it does for none. */
export async function timeZoneOf(db: Db, space: string): Promise<string> {
  const { time_zone = 'UTC' } = (await selectSpace(db, space)) ?? {}
  return isTimeZone(time_zone) ? time_zone : 'UTC'
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

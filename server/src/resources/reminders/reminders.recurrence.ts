// Computes when a recurring reminder is due next. Croner handles daylight saving time: a time that the
// clocks skip is moved to the end of the gap, and a time that they repeat occurs once.
import { Cron } from 'croner'
import { selectSpace } from '../../access/access.sql.ts'
import type { Db } from '../../db/driver.ts'
import { isTimeZone } from '../../time-zone.ts'

/** The next occurrence after a time. Undefined if the cron is not valid or never occurs. */
export function nextOccurrence(cron: string, timeZone: string, after: Date): Date | undefined {
  // Croner also accepts nicknames such as @daily, and dates. We do not.
  if (cron.trim().split(/\s+/).length !== 5) return undefined
  try {
    return new Cron(cron, { mode: '5-part', timezone: timeZone }).nextRun(after) ?? undefined
  } catch {
    return undefined
  }
}

/** The time zone of the workspace. UTC if it has none, or one that this version of Node does not know. */
export async function timeZoneOf(db: Db, space: string): Promise<string> {
  const { time_zone = 'UTC' } = (await selectSpace(db, space)) ?? {}
  return isTimeZone(time_zone) ? time_zone : 'UTC'
}

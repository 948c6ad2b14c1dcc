// Validates names, email addresses, time zones and times of expiry, on the command line and over HTTP.
import { badRequest, type Issue } from '@rapport/contract/errors'
import type { Db } from '../db/driver.ts'
import { selectTimeZones } from '../db/time-zones.sql.ts'
import { normalizeEmail } from '../email-address.ts'

export const longestName = 200

/** The name of a person, a workspace or a key, without outer spaces. Throws a BAD_REQUEST. */
export function requireName(text: string, path: Issue['path'] = ['name']): string {
  const name = text.trim()
  const refuse = (message: string) => badRequest({ path, code: 'name', message })
  if (name === '') throw refuse('Must not be empty')
  if (name.length > longestName) throw refuse(`Must be at most ${longestName} characters long`)
  if (/\p{Cc}/u.test(name)) throw refuse('Must be a single line without control characters')
  return name
}

/** The address in the form in which it is stored and compared. Throws a BAD_REQUEST. */
export function requireEmail(text: string): string {
  const email = normalizeEmail(text)
  if (email !== undefined) return email
  const message = 'Must be an email address like tom@example.com'
  throw badRequest({ path: ['email'], code: 'email', message })
}

/** A leap second fits the format of a time, but is not a time that can be compared. */
export function requireFuture(text: string, now: Date): string {
  const time = Date.parse(text)
  if (time > now.getTime()) return new Date(time).toISOString()
  throw badRequest({ path: ['expires_at'], code: 'past', message: 'Must be in the future' })
}

/** Throws a BAD_REQUEST. */
export async function requireTimeZone(db: Db, time_zone: string): Promise<void> {
  if ((await selectTimeZones(db, [time_zone])).has(time_zone)) return
  const message = 'Must be a time zone like Europe/Paris or UTC'
  throw badRequest({ path: ['time_zone'], code: 'time_zone', message })
}

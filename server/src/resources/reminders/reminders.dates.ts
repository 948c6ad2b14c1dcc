// Times in the bodies of reminders.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { toTimestamp } from '../../attributes/dates.ts'

/** Returns the time in the form in which it is stored. `path` is where it is in the body. */
export function requireDate(text: string, path: Issue['path']): string {
  const date = toTimestamp(text)
  // The schema accepts a leap second and the year 0, which cannot be stored.
  if (date !== undefined && date >= '0001') return date
  throw badRequest({ path, code: 'date', message: 'Not a valid time' })
}

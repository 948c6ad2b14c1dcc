// Checks of what people type for a workspace, a member or a key.
import { longestName } from '../access/names.ts'
import { normalizeEmail } from '../email-address.ts'
import { UsageError } from './command.ts'

export function checkedEmail(text: string, option: string): string {
  const email = normalizeEmail(text)
  if (email === undefined) {
    throw new UsageError(`${option} must be an email address like tom@example.com, not "${text}".`)
  }
  return email
}

export function checkedName(text: string, option: string): string {
  const name = text.trim()
  if (name === '') throw new UsageError(`${option} must not be blank.`)
  if (name.length > longestName) {
    throw new UsageError(`${option} must be at most ${longestName} characters long.`)
  }
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(`${option} must be a single line without control characters.`)
  }
  return name
}

/** How many rows to show: 50 if nobody says. */
export function checkedLimit(text = '50'): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > 100_000) {
    throw new UsageError('--limit must be a whole number from 1 to 100000.')
  }
  return limit
}

/** One of these words, if one was given. */
export function oneOf<const T extends string, Given extends string | undefined>(
  option: string,
  known: readonly T[],
  given: Given,
): T | (Given & undefined) {
  if (given === undefined) return given as Given & undefined
  const found = known.find((one) => one === given.toLowerCase())
  if (!found) throw new UsageError(`${option} must be one of ${known.join(', ')}, not "${given}".`)
  return found
}

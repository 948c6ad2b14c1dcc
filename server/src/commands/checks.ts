// Checks of what people type for a workspace, a member or a key.
import { UsageError } from './command.ts'

/** Letters and digits of every script; a name without a dot, as in owner@localhost, is allowed. */
const label = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
const word = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const address = new RegExp(`^${word}(?:\\.${word})*@${label}(?:\\.${label})*$`, 'u')
const longestAddress = 254
const longestName = 200

export function checkedEmail(text: string, option: string): string {
  const email = text.trim()
  if (email.length > longestAddress || !address.test(email)) {
    throw new UsageError(`${option} must be an email address like tom@example.com, not "${text}".`)
  }
  return email
}

export function checkedName(text: string, option: string): string {
  const name = text.trim()
  if (name === '') throw new UsageError(`${option} must not be blank.`)
  if (name.length > longestName) {
    throw new UsageError(`${option} must have at most ${longestName} characters.`)
  }
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(`${option} must be one line without control characters.`)
  }
  return name
}

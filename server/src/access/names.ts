// What a name and an email address may be, on the command line and over HTTP.
import { badRequest, type Issue } from '@rapport/contract/errors'

/** Letters and digits of every script; a name without a dot, as in owner@localhost, is allowed. */
const label = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
const word = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const address = new RegExp(`^${word}(?:\\.${word})*@${label}(?:\\.${label})*$`, 'u')
const longestAddress = 254
export const longestName = 200

export function isEmailAddress(text: string): boolean {
  return text.length <= longestAddress && address.test(text)
}

/** The name of a person, a workspace or a key, without outer blanks. Throws a BAD_REQUEST. */
export function requireName(text: string, path: Issue['path'] = ['name']): string {
  const name = text.trim()
  const refuse = (message: string) => badRequest({ path, code: 'name', message })
  if (name === '') throw refuse('Must not be empty')
  if (name.length > longestName) throw refuse(`Must have at most ${longestName} characters`)
  if (/\p{Cc}/u.test(name)) throw refuse('Must be one line without control characters')
  return name
}

export function requireEmail(text: string): string {
  const email = text.trim()
  if (isEmailAddress(email)) return email
  const message = 'Must be an email address like tom@example.com'
  throw badRequest({ path: ['email'], code: 'email', message })
}

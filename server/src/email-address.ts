// The one form of a member's email address. Addresses are stored in it and compared exactly, because
// PostgreSQL and JavaScript disagree about the case of non-ASCII letters.
import { domainToASCII } from 'node:url'

/** Letters and digits of every script; a name without a dot, as in owner@localhost, is allowed. */
const label = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
const word = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const address = new RegExp(`^${word}(?:\\.${word})*@${label}(?:\\.${label})*$`, 'u')
const longestAddress = 254

/** Without outer spaces, in NFC, in lower case, with the ASCII form of the domain. Undefined: no address. */
export function normalizeEmail(text: string): string | undefined {
  const given = text.trim()
  // Longer ones are refused before they cost anything.
  if (given.length > longestAddress || !address.test(given)) return undefined
  const at = given.lastIndexOf('@')
  const mailbox = normalizeMailbox(given.slice(0, at))
  const domain = normalizeDomain(given.slice(at + 1))
  if (mailbox === undefined || domain === undefined) return undefined
  const email = `${mailbox}@${domain}`
  return email.length <= longestAddress ? email : undefined
}

/**
 * A non-ASCII character never becomes an ASCII one, so nobody gets the address of another person with a
 * letter that only looks like theirs, such as the Kelvin sign.
 */
function normalizeMailbox(text: string): string | undefined {
  const isDisguised = Array.from(text).some(
    (character) => !isAscii(character) && isAscii(lower(character)),
  )
  return isDisguised ? undefined : lower(text)
}

/** Lower case by the rules of Unicode, which are the same in every locale. It may decompose a letter. */
function lower(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC')
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Undefined: no domain, or one that would be read as a number of an IP address. */
export function normalizeDomain(text: string): string | undefined {
  const domain = text.toLowerCase()
  if (isAscii(domain) && !/(^|\.)xn--/.test(domain)) return domain
  const ascii = domainToASCII(text)
  return ascii === '' || /(^|\.)\d+$/.test(ascii) ? undefined : ascii
}

// The address by which mail programs turn off the mail of a member with one click (RFC 8058). It needs no sign-in, and
// can do nothing else.
import type { Secrets } from '../secrets.ts'

const context = 'unsubscribe'

export interface Recipient {
  space: string
  member: string
}

/** The prefix keeps it out of the log, like those of keys (access/keys.ts). */
export function unsubscribePath(secrets: Secrets, { space, member }: Recipient): string {
  const sealed = secrets.seal(`${space} ${member}`, context)
  return `/unsubscribe/ru_${Buffer.from(sealed).toString('base64url')}`
}

/** Undefined: this server has made no such token. */
export function recipientOf(secrets: Secrets, token: string): Recipient | undefined {
  const sealed = Buffer.from(token.replace(/^ru_/, ''), 'base64url').toString()
  const [space, member] = secrets.open(sealed, context)?.split(' ') ?? []
  return space && member ? { space, member } : undefined
}

// The token of a preview. It is signed with the hash of the caller's key, so no other key can use it and
// nothing is stored.
import { timingSafeEqual } from 'node:crypto'

/** What the token confirms. */
export interface Confirmed {
  kind: string
  filter: unknown
  data: unknown
}

/** How long a token is valid. */
export const validMs = 10 * 60_000

type Sign = (text: string) => string

export function confirmToken(sign: Sign, what: Confirmed, count: number, expires: Date): string {
  const claim = `${expires.getTime().toString(36)}.${count.toString(36)}`
  return `${claim}.${signature(sign, what, claim)}`
}

/** The number of leads that the token confirms. Undefined: it is for something else, or too old. */
export function readToken(
  sign: Sign,
  what: Confirmed,
  token: string,
  now: Date,
): number | undefined {
  const [, claim = '', expires = '', count = '', signed = ''] =
    /^(([0-9a-z]{1,12})\.([0-9a-z]{1,12}))\.([\w-]+)$/.exec(token) ?? []
  const expected = Buffer.from(signature(sign, what, claim))
  const given = Buffer.from(signed)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  return Number.parseInt(expires, 36) > now.getTime() ? Number.parseInt(count, 36) : undefined
}

function signature(sign: Sign, { kind, filter, data }: Confirmed, claim: string): string {
  return sign(JSON.stringify([kind, ordered(filter), ordered(data ?? {}), claim]))
}

/** The same object with its keys in order: a client may send them in another one. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner)]))
}

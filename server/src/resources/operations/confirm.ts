// The token of a preview. It is signed with the hash of the caller's key, so no other key can use it and
// nothing is stored.
import { createHash, timingSafeEqual } from 'node:crypto'

/** What the token confirms. */
export interface Confirmed {
  kind: string
  filter: unknown
  data: unknown
}

/** How long a token is valid. */
export const validMs = 10 * 60_000

type Sign = (text: string) => string

/** What was previewed. */
export interface Previewed {
  /** How many leads. */
  count: number
  /** Of a merge: a hash of its groups. */
  groups?: string | undefined
}

export function confirmToken(
  sign: Sign,
  what: Confirmed,
  { count, groups }: Previewed,
  expires: Date,
): string {
  const claim = `${expires.getTime().toString(36)}.${count.toString(36)}${groups ? `.${groups}` : ''}`
  return `${claim}.${signature(sign, what, claim)}`
}

/** What the token confirms. Undefined: it is for something else, or too old. */
export function readToken(
  sign: Sign,
  what: Confirmed,
  token: string,
  now: Date,
): Previewed | undefined {
  const [, claim = '', expires = '', count = '', groups, signed = ''] =
    /^(([0-9a-z]{1,12})\.([0-9a-z]{1,12})(?:\.([\w-]{43}))?)\.([\w-]+)$/.exec(token) ?? []
  const expected = Buffer.from(signature(sign, what, claim))
  const given = Buffer.from(signed)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  if (Number.parseInt(expires, 36) <= now.getTime()) return undefined
  return { count: Number.parseInt(count, 36), groups }
}

export const hashOf = (groups: string[][]) =>
  createHash('sha256')
    .update(JSON.stringify(groups.map((group) => group.toSorted().join()).sort()))
    .digest('base64url')

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

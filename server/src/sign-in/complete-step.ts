// Signs in a member who has completed the first step, or asks for the second. Every way to sign in ends here.
import type { NextStep } from '@rapport/contract/sign-in'
import type { Member } from '../access/access.sql.ts'
import { readSessionCookie, setPendingCookie, setSessionCookie } from '../access/cookie.ts'
import { deviceOf } from '../access/device.ts'
import { selectFactorState } from '../access/factors.sql.ts'
import { hashKey, newKey } from '../access/keys.ts'
import { insertPending } from '../access/pending.sql.ts'
import { revokeSessionByHash } from '../access/sessions.sql.ts'
import { type HowSignedIn, type SignIn, startSession } from '../access/sessions.ts'
import type { Db } from '../db/driver.ts'
import type { Visit } from './handler.ts'

type Browser = Pick<Visit<never>, 'request' | 'reply' | 'now'>
type Person = Pick<Member, 'id_space' | 'id'>

/** How long a person may take for the second step. */
const pendingMs = 10 * 60_000

/** What the browser gets: the key of a session, or of a sign-in that needs another step. */
export interface Entry {
  next: NextStep | null
  key: string
}

/** Signs the member in, or begins the second step. Returns that step. */
export async function completeStep(
  db: Db,
  member: Person,
  how: HowSignedIn,
  browser: Browser,
): Promise<NextStep | null> {
  return handOver(await enter(db, member, how, browser), member, browser)
}

/** The part of it that a transaction can contain. Call `handOver` after the commit. */
export async function enter(
  db: Db,
  member: Person,
  how: HowSignedIn,
  browser: Browser,
): Promise<Entry> {
  const next = await nextStep(db, member, how)
  if (!next) return { next, key: await beginSession(db, member, how, browser) }
  const key = newKey('pending')
  const { id_space, id: id_member } = member
  const expires_at = new Date(browser.now.getTime() + pendingMs)
  const times = { created_at: browser.now, expires_at }
  await insertPending(db, { id_space, id_member, hash: hashKey(key), how, ...times })
  return { next, key }
}

/** After the commit, the browser gets its key. Ended sessions take effect immediately. */
export function handOver(
  { next, key }: Entry,
  { id_space }: Pick<Member, 'id_space'>,
  { request, reply }: Browser,
): NextStep | null {
  const { keyring } = request.server
  keyring.forget(id_space)
  if (next) {
    setPendingCookie(request, reply, key, pendingMs / 1000)
    return next
  }
  setSessionCookie(request, reply, key)
  const before = readSessionCookie(request)
  if (before) keyring.forgetKey(before)
  return null
}

/**
 * A passkey that signs in alone is both factors. A provider of OpenID Connect may have asked for one of its
 * own, so another one is asked for only where the workspace requires it.
 */
async function nextStep(db: Db, member: Person, { way }: HowSignedIn): Promise<NextStep | null> {
  if (way === 'passkey') return null
  const state = await selectFactorState(db, member)
  if (!state) return null
  const isAsked = state.hasFactor && way !== 'openid'
  if (!isAsked && !state.isRequired) return null
  return state.hasFactor ? 'verify' : 'enrol'
}

/**
 * The session is new, with a key that the service makes: one that was in the browser before (which another
 * person may have put there) is not used again, and ends.
 */
export async function beginSession(
  db: Db,
  member: Person,
  how: HowSignedIn & Pick<SignIn, 'second'>,
  { request, now }: Browser,
): Promise<string> {
  const before = readSessionCookie(request)
  if (before) await revokeSessionByHash(db, hashKey(before), now)
  const device = deviceOf(request.headers['user-agent'])
  const { sessionMs } = request.server.keyring
  return startSession(db, member, { ...how, device, now, sessionMs })
}

// Begins a session in the browser that has sent the request.
import type { Member } from '../access/access.sql.ts'
import { readSessionCookie, setSessionCookie } from '../access/cookie.ts'
import { deviceOf } from '../access/device.ts'
import { hashKey } from '../access/keys.ts'
import { revokeSessionByHash } from '../access/sessions.sql.ts'
import { type SignIn, startSession } from '../access/sessions.ts'
import type { Db } from '../db/driver.ts'
import type { Visit } from './handler.ts'

type Browser = Pick<Visit<never>, 'request' | 'reply' | 'now'>
export type HowSignedIn = Pick<SignIn, 'way' | 'proof' | 'confirmedAt'>

/** Signs the member in, and gives the key of the session to the browser. */
export async function letIn(
  db: Db,
  member: Pick<Member, 'id_space' | 'id'>,
  how: HowSignedIn,
  browser: Browser,
): Promise<void> {
  handOver(browser, member, await beginSession(db, member, how, browser))
}

/** After the commit: the browser gets the key of its session. What has ended with it counts at once. */
export function handOver(
  { request, reply }: Browser,
  { id_space }: Pick<Member, 'id_space'>,
  key: string,
): void {
  setSessionCookie(request, reply, key)
  const { keyring } = request.server
  keyring.forget(id_space)
  const before = readSessionCookie(request)
  if (before) keyring.forgetKey(before)
}

/**
 * The session is new, with a key that the service makes: one that was in the browser before (which another
 * person may have put there) is not used again, and ends.
 */
export async function beginSession(
  db: Db,
  member: Pick<Member, 'id_space' | 'id'>,
  how: HowSignedIn,
  { request, now }: Browser,
): Promise<string> {
  const before = readSessionCookie(request)
  if (before) await revokeSessionByHash(db, hashKey(before), now)
  const device = deviceOf(request.headers['user-agent'])
  const { sessionMs } = request.server.keyring
  return startSession(db, member, { ...how, device, now, sessionMs })
}

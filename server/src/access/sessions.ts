// Browser sessions. A session is a special kind of key that the browser keeps in a cookie.
import { notFound } from '@rapport/contract/errors'
import type { Db } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { type Author, authorOf } from '../feed/author.ts'
import type { Member } from './access.sql.ts'
import { takeNotice } from './guesses.sql.ts'
import { issueKey } from './issue-key.ts'
import { type Proof, storeProof } from './proofs.sql.ts'
import { sessionEnd, standardSessionMs } from './session-end.ts'
import {
  deleteEndedSessions,
  revokeOtherSessions,
  revokeSession,
  storeConfirmation,
} from './sessions.sql.ts'

type Owner = Pick<Member, 'id_space' | 'id'>

/** The second factor that was used with a password or a link. */
export type SecondFactor = 'passkey' | 'app' | 'recovery_code'

export interface SignIn {
  way: 'password' | 'link' | 'openid' | 'passkey'
  second?: SecondFactor
  device: string
  now: Date
  /** What it has proven. */
  proof?: Proof | undefined
  /** When the person last proved who they are, if that was in another session. */
  confirmedAt?: number | undefined
  /** How long after it the session ends at the latest. */
  sessionMs?: number
}

/** What a sign-in keeps from its first step to its last one. */
export type HowSignedIn = Pick<SignIn, 'way' | 'proof' | 'confirmedAt'>

/** Signs a member in. Returns the key of the new session, which only its browser gets. */
export async function startSession(
  db: Db,
  { id_space, id }: Owner,
  { way, second, device, now, proof, confirmedAt, sessionMs = standardSessionMs }: SignIn,
): Promise<string> {
  await deleteEndedSessions(db, { id_space, id }, now)
  const refused = await takeNotice(db, { id_space, id })
  const { key, id: session } = await issueKey(db, {
    kind: 'session',
    id_space,
    id_member: id,
    // The keyring lowers it to the member's current role.
    role: 'admin',
    name: device,
    created_at: now.toISOString(),
    signed_in_at: proof?.at ?? now.toISOString(),
    confirmed_at: new Date(confirmedAt ?? now).toISOString(),
    expires_at: sessionEnd(now, new Date(proof?.at ?? now), sessionMs),
    ...(refused && { refused }),
  })
  if (proof) await storeProof(db, { id_space, id: session }, proof)
  const by = authorOf('web', id_space, now, id)
  await audit(db, by, 'session.created', { session, way, ...(second && { second }), device })
  return key
}

/** Notes that the person of the author's session has proved who they are. */
export async function confirmSession(
  db: Db,
  author: Author,
  way: 'password' | SecondFactor,
): Promise<void> {
  const session = author.actor.key ?? ''
  await storeConfirmation(db, ownerOf(author), session, author.now)
  await audit(db, author, 'session.confirmed', { session, way })
}

/** Ends one session of the author. */
export async function endSession(db: Db, author: Author, session: string): Promise<void> {
  if (!(await revokeSession(db, ownerOf(author), session, author.now))) throw notFound()
  await audit(db, author, 'session.ended', { session })
}

/** Ends all sessions of the author but the one that asks. Returns their number. */
export function endOtherSessions(db: Db, author: Author): Promise<number> {
  return revokeOtherSessions(db, ownerOf(author), author.actor.key, author.now)
}

export function ownerOf({ space, actor }: Author): Owner {
  return { id_space: space, id: actor.member ?? '' }
}

// Lets a member sign in with another account at the provider, for example after the old one was closed.
import type { Db } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import type { Author } from '../feed/author.ts'
import type { Member } from './access.sql.ts'
import { deleteIdentity } from './identities.sql.ts'
import { revokeOtherSessions } from './sessions.sql.ts'

/** Ends the member's sessions, which the old account may have begun. False: no account was bound. */
export async function unbindMember(tx: Db, by: Author, member: Member): Promise<boolean> {
  const identity = await deleteIdentity(tx, member)
  if (!identity) return false
  const ended_sessions = await revokeOtherSessions(tx, member, null, by.now)
  await audit(tx, by, 'identity.unbound', { id: member.id, ...identity, ended_sessions })
  return true
}

// The rules that protect the owners of a workspace: only an owner can change who the owners are, and one
// owner must remain.
import { ApiError, badRequest, type Issue } from '@rapport/contract/errors'
import { isLastOwner, type MemberRole, mayChange } from '@rapport/contract/roles'
import type { Db } from '../db/driver.ts'
import type { Call } from '../http/handler.ts'
import { type Member, selectMember, selectMembers } from './access.sql.ts'
import { requirePerson } from './person.ts'

type Caller = Pick<Call, 'space' | 'user' | 'actor' | 'confirmedAt' | 'now'>

/**
 * Refuses changes to an owner unless the caller is an owner and a person. An admin who could create a link or a
 * key for an owner would become the owner, and so would a program with a key.
 */
export async function requireOwnerFor(
  db: Db,
  caller: Caller,
  ...roles: (MemberRole | undefined)[]
): Promise<void> {
  if (mayChange(undefined, ...roles)) return
  const member = await selectMember(db, caller.space, caller.user)
  if (!mayChange(member?.role, ...roles)) throw new ApiError('FORBIDDEN')
  requirePerson({ way: caller.actor.way, confirmedAt: caller.confirmedAt }, caller.now)
}

/** Call it in a transaction that has locked the workspace. */
export async function requireOtherOwner(
  tx: Db,
  member: Member,
  path: Issue['path'],
): Promise<void> {
  if (!isLastOwner(member, await selectMembers(tx, member.id_space))) return
  const message = 'This is the only owner of the workspace. Make another member an owner first.'
  throw badRequest({ path, code: 'last_owner', message })
}

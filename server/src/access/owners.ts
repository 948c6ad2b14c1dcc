// The rules that protect the owners of a workspace: only an owner changes who the owners are, and one
// owner stays.
import { ApiError, badRequest, type Issue } from '@rapport/contract/errors'
import type { MemberRole } from '@rapport/contract/members'
import type { Db } from '../db/driver.ts'
import type { Call } from '../http/handler.ts'
import { type Member, selectMember, selectMembers } from './access.sql.ts'
import { requirePerson } from './person.ts'

type Caller = Pick<Call, 'space' | 'user' | 'actor' | 'confirmedAt' | 'now'>

/**
 * Refuses what concerns an owner unless the caller is one, and a person. An admin who could make a link or a
 * key for an owner would become the owner, and so would a program with a key.
 */
export async function requireOwnerFor(
  db: Db,
  caller: Caller,
  ...roles: (MemberRole | undefined)[]
): Promise<void> {
  if (!roles.includes('owner')) return
  const member = await selectMember(db, caller.space, caller.user)
  if (member?.role !== 'owner') throw new ApiError('FORBIDDEN')
  requirePerson({ way: caller.actor.way, confirmedAt: caller.confirmedAt }, caller.now)
}

/** Call it in a transaction that has locked the workspace. */
export async function requireOtherOwner(
  tx: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
  path: Issue['path'],
): Promise<void> {
  const members = await selectMembers(tx, id_space)
  if (members.some((one) => one.role === 'owner' && one.id !== id)) return
  const message = 'Is the only owner of the workspace: make another member an owner first'
  throw badRequest({ path, code: 'last_owner', message })
}

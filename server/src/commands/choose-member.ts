// Which member of a workspace a command means.
import { type Member, selectMembers, selectOwner } from '../access/access.sql.ts'
import type { Db } from '../db/driver.ts'
import { normalizeEmail } from '../email-address.ts'
import { isId } from '../ids.ts'
import { nearest } from '../nearest.ts'
import type { ChosenSpace } from './choose-space.ts'
import { CommandError } from './command.ts'
import { nextCommand } from './next-command.ts'

/** Returns the member of the workspace with this email address or id. */
export async function findMember(db: Db, space: ChosenSpace, given: string): Promise<Member> {
  const members = await selectMembers(db, space.id_space)
  const wanted = given.trim()
  const found =
    // Migration 0024 has left some addresses as they were: those that others have, too.
    members.find(({ email }) => email === wanted) ??
    members.find(({ id, email }) =>
      isId(wanted) ? id === wanted.toLowerCase() : email === normalizeEmail(wanted),
    )
  if (found) return found
  const meant = nearest(
    given,
    members.map(({ email }) => email),
  )
  throw new CommandError(
    `No member ${given} in the workspace "${space.name}".${meant === undefined ? '' : ` Did you mean ${meant}?`} See: ${nextCommand('members', 'list', '--space', space.ref)}`,
  )
}

/** Without one given it returns the oldest owner, and says so. */
export async function chooseMember(
  db: Db,
  space: ChosenSpace,
  given: string | undefined,
): Promise<Member> {
  if (given !== undefined) return findMember(db, space, given)
  const owner = await selectOwner(db, space.id_space)
  if (!owner) {
    throw new CommandError(
      `The workspace "${space.name}" has no owner. Choose a member with --member. See: ${nextCommand('members', 'list', '--space', space.ref)}`,
    )
  }
  console.error(`Member: ${owner.email} (the owner)`)
  return owner
}

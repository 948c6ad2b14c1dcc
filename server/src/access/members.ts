// Changes of members, by admins and by themselves.
import { type ApiError, badRequest, notFound } from '@rapport/contract/errors'
import { type Db, type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import type { Author } from '../feed/author.ts'
import { recordUpdated } from '../feed/record.sql.ts'
import {
  lockSpace,
  type Member,
  type MemberChange,
  selectMembers,
  updateMember,
} from './access.sql.ts'

/** Two concurrent requests must not remove the last two owners, or invite one address twice. */
export function locked<T>(
  db: Pool,
  { space }: Pick<Author, 'space'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return transaction(db, async (tx) => {
    await lockSpace(tx, space)
    return work(tx)
  })
}

export async function changeMember(
  tx: Db,
  by: Author,
  member: Member,
  change: MemberChange,
): Promise<Member> {
  const { picture_content, ...told } = change
  await audit(tx, by, 'member.updated', { id: member.id, ...told })
  return storeMember(tx, by, member, change)
}

/** What members change about themselves. */
export function changeSelf(
  db: Pool,
  by: Author,
  id: string,
  change: Omit<MemberChange, 'role'>,
): Promise<Member> {
  return locked(db, by, async (tx) => {
    const { email } = change
    const members = await selectMembers(tx, by.space)
    const member = members.find((one) => one.id === id)
    if (!member) throw notFound()
    if (email && members.some((one) => one.email === email && one.id !== id)) throw takenEmail()
    return changeMember(tx, by, member, change)
  })
}

export function takenEmail(): ApiError {
  const message = 'A member already has this address'
  return badRequest({ path: ['email'], code: 'taken', message })
}

/** Without an entry in the audit log. */
export async function storeMember(
  tx: Db,
  by: Author,
  member: Member,
  change: MemberChange,
): Promise<Member> {
  const after = (await updateMember(tx, member, change)) ?? member
  await recordUpdated(tx, by, 'member', member, after)
  return after
}

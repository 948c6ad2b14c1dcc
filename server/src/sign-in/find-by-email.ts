// Finds the member that a provider has named, or adds one from a domain that the settings list.
import {
  insertMember,
  lockSpace,
  type Member,
  selectMembersByEmail,
  selectSpaces,
} from '../access/access.sql.ts'
import { deleteLinks } from '../access/links.sql.ts'
import { longestName } from '../access/names.ts'
import type { OpenidSettings } from '../config.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { newId } from '../ids.ts'

/** Whom a provider has named, with an address that it has verified, in its normal form. */
export interface Person {
  email: string
  name: string | undefined
}

/** Somebody in several workspaces gets into the one that they joined first. */
export async function findByEmail(
  db: Pool,
  person: Person,
  settings: Pick<OpenidSettings, 'domains' | 'role'>,
  now: Date,
): Promise<Member | undefined> {
  const [member] = await selectMembersByEmail(db, person.email)
  if (!member)
    return isOfDomain(person, settings.domains)
      ? joinByDomain(db, person, settings, now)
      : undefined
  // They have joined, so an invitation has nothing to do any more.
  await deleteLinks(db, member, ['invitation'])
  return member
}

function isOfDomain({ email }: Person, domains: string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/** A new member of the first workspace. */
function joinByDomain(
  db: Pool,
  { email, name }: Person,
  { role }: Pick<OpenidSettings, 'role'>,
  now: Date,
): Promise<Member | undefined> {
  return transaction(db, async (tx) => {
    const [space] = await selectSpaces(tx)
    if (!space) return undefined
    // Two browsers of the same person may come back at the same time.
    await lockSpace(tx, space.id_space)
    const [known] = await selectMembersByEmail(tx, email)
    if (known) return known
    const { id_space } = space
    const called =
      name
        ?.replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, longestName) || email
    const created_at = now.toISOString()
    const member = { id_space, id: newId(), name: called, email, role, created_at }
    await insertMember(tx, member)
    return member
  })
}

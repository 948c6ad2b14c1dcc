// Finds the members whose email address and password these are.
import { selectSpace } from '../access/access.sql.ts'
import {
  type PasswordOwner,
  selectMostShared,
  selectPasswordOwners,
} from '../access/passwords.sql.ts'
import { isPassword, type PasswordCost, wastePassword } from '../access/passwords.ts'
import type { Pool } from '../db/driver.ts'

/**
 * Someone may be a member of several workspaces, with a password in each. Without a wish for one it is
 * the oldest membership. The work is the same for every address, whether a member has it or not: as many
 * passwords are compared as any address has, with nothing where it has fewer.
 */
export async function findByPassword(
  db: Pool,
  email: string,
  password: string,
  wanted: string | undefined,
  cost: PasswordCost,
) {
  const owners = await selectPasswordOwners(db, email)
  const most = Math.max(1, owners.length, await selectMostShared(db))
  const found: PasswordOwner[] = []
  for (let at = 0; at < most; at++) {
    const owner = owners[at]
    if (!owner) await wastePassword(password, cost)
    else if (await isPassword(password, owner.hash)) found.push(owner)
  }
  const chosen = wanted ? found.find(({ id_space }) => id_space === wanted.toLowerCase()) : found[0]
  if (!chosen) return undefined
  const spaces = await Promise.all(found.map(({ id_space }) => selectSpace(db, id_space)))
  const { id_space, id } = chosen
  const members = found.map((owner) => ({ id_space: owner.id_space, id: owner.id }))
  // Who knows the password of one member must not guess for free at that of another.
  const isForAll = found.length === owners.length
  return {
    member: { id_space, id },
    isForAll,
    members,
    workspaces: spaces.filter((space) => space !== undefined),
  }
}

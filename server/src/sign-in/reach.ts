// The workspaces in which a session can continue without another sign-in: only as members that its sign-in has
// proven. A link proves nothing beyond its member, because admins of a workspace make links for their members.
import { type Member, selectMember, selectMembersByEmail } from '../access/access.sql.ts'
import { selectBoundMembers, selectIdentity } from '../access/identities.sql.ts'
import { isPasswordSince } from '../access/passwords.sql.ts'
import type { Proof } from '../access/proofs.sql.ts'
import type { OpenidSettings } from '../config.ts'
import type { Db } from '../db/driver.ts'

type Settings = Pick<OpenidSettings, 'issuer' | 'only'> | undefined

/** The oldest first. Proofs by a method that is disabled no longer count. */
export async function findProven(db: Db, proof: Proof, settings: Settings): Promise<Member[]> {
  if (proof.way === 'openid') {
    return proof.issuer === settings?.issuer ? selectBoundMembers(db, proof) : []
  }
  if (settings?.only) return []
  const found = await Promise.all(
    proof.members.map(async (one) =>
      (await isPasswordSince(db, one, proof.at))
        ? selectMember(db, one.id_space, one.id)
        : undefined,
    ),
  )
  return found.filter((member) => member !== undefined)
}

/** Members with the address of the account that are bound to none: another sign-in can bind them. */
export async function findOffered(
  db: Db,
  proof: Proof,
  proven: Member[],
  settings: Settings,
): Promise<Member[]> {
  if (proof.way !== 'openid' || proof.issuer !== settings?.issuer) return []
  const named = await selectMembersByEmail(db, proof.email)
  const others = named.filter(
    ({ id_space }) => !proven.some((member) => member.id_space === id_space),
  )
  const identities = await Promise.all(others.map((member) => selectIdentity(db, member)))
  return others.filter((_member, index) => identities[index] === undefined)
}

// Enters a workspace with an account at the provider: binds the member to it, and gives the role of the
// person's groups.
import { insertMember, lockSpace, type Member, updateMember } from '../access/access.sql.ts'
import { insertIdentity } from '../access/identities.sql.ts'
import { deleteLinks } from '../access/links.sql.ts'
import { longestName } from '../access/names.ts'
import type { OpenidSettings } from '../config.ts'
import { type Db, type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { type Author, authorOf } from '../feed/author.ts'
import { recordCreated, recordUpdated } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import { type Account, findPlaces, type Place } from './places.ts'

type Settings = Pick<OpenidSettings, 'domains' | 'role'>

/** Undefined if the workspace is no longer open to the account. */
export function joinPlace(
  db: Pool,
  account: Account,
  id_space: string,
  settings: Settings,
  now: Date,
): Promise<Member | undefined> {
  return transaction(db, async (tx) => {
    // Two browsers of the same person may come back at the same time.
    await lockSpace(tx, id_space)
    const { places } = await findPlaces(tx, account, settings)
    const place = places.find((one) => one.id_space === id_space)
    if (!place) return undefined
    const member = place.member ?? (await addMember(tx, account, id_space, settings, now))
    const by = authorOf('web', id_space, now, member.id)
    if (place.standing !== 'bound') await bind(tx, by, member, account)
    return applyRole(tx, by, member, account.role)
  })
}

/** The groups count in all workspaces of the person, even in those that they do not enter now. */
export async function applyRoles(
  db: Pool,
  places: Place[],
  { role }: Account,
  now: Date,
): Promise<void> {
  for (const { member, standing } of places) {
    if (!member || standing !== 'bound' || !changesRole(member, role)) continue
    await transaction(db, async (tx) => {
      await lockSpace(tx, member.id_space)
      await applyRole(tx, authorOf('web', member.id_space, now, member.id), member, role)
    })
  }
}

async function addMember(
  tx: Db,
  { email, name, role: ofGroups }: Account,
  id_space: string,
  settings: Settings,
  now: Date,
): Promise<Member> {
  const role = ofGroups ?? settings.role
  const called =
    name
      ?.replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, longestName) || email
  const created_at = now.toISOString()
  const added = { id_space, id: newId(), name: called, email, role, created_at }
  const member: Member = { ...added, time_zone: null, picture: null }
  await insertMember(tx, member)
  const by = authorOf('web', id_space, now, member.id)
  await audit(tx, by, 'member.created', { id: member.id, name: called, email, role })
  await recordCreated(tx, by, 'member', member)
  return member
}

/** They have joined, so an invitation is no longer needed. */
async function bind(tx: Db, by: Author, member: Member, account: Account): Promise<void> {
  const { issuer, subject, email } = account
  await insertIdentity(tx, member, account, by.now)
  await deleteLinks(tx, member, ['invitation'])
  await audit(tx, by, 'identity.bound', { id: member.id, email, issuer, subject })
}

/** Owners stay owners: a provider cannot take a workspace away from them. */
function changesRole(
  member: Member,
  role: Account['role'],
): role is Exclude<typeof role, undefined> {
  return role !== undefined && member.role !== 'owner' && member.role !== role
}

async function applyRole(
  tx: Db,
  by: Author,
  member: Member,
  role: Account['role'],
): Promise<Member> {
  if (!changesRole(member, role)) return member
  const after = (await updateMember(tx, member, { role })) ?? member
  await audit(tx, by, 'member.updated', { id: member.id, role })
  await recordUpdated(tx, by, 'member', member, after)
  return after
}

/** Tells the workspaces that another account has the address of a member. */
export async function tellRefused(
  db: Db,
  taken: Member[],
  { issuer, subject, email }: Account,
  now: Date,
): Promise<void> {
  for (const { id_space, id } of taken) {
    const by = authorOf('web', id_space, now)
    await audit(db, by, 'identity.refused', { id, email, issuer, subject })
  }
}

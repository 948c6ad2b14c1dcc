// The workspaces that someone can enter with an account at the provider, and how sure we are about each.
import { type Member, selectMembersByEmail, selectSpaces } from '../access/access.sql.ts'
import { type Identity, selectBoundMembers, selectIdentity } from '../access/identities.sql.ts'
import { selectInvitations } from '../access/links.sql.ts'
import { selectPassword } from '../access/passwords.sql.ts'
import type { OpenidSettings } from '../config.ts'
import type { Db } from '../db/driver.ts'

/** Whom a provider has named, with an address that it has verified, in its normal form. */
export interface Account extends Identity {
  email: string
  name: string | undefined
  /** The role that the person's groups give, if the settings say so. */
  role: Exclude<Member['role'], 'owner'> | undefined
}

/**
 * Who says that the member is this person. `bound`: the provider, at an earlier sign-in. `known`: the
 * operator, who has added the member or lists the domain of the address. `invited`: only an admin of the
 * workspace, who may have used the invitation and chosen the password.
 */
const standings = ['bound', 'known', 'invited'] as const

export interface Place {
  id_space: string
  /** Undefined: the person becomes a member. */
  member: Member | undefined
  standing: (typeof standings)[number]
}

export interface Places {
  places: Place[]
  /** Members with the address of the account that are bound to another account. */
  taken: Member[]
}

export async function findPlaces(
  db: Db,
  account: Account,
  { domains }: Pick<OpenidSettings, 'domains'>,
): Promise<Places> {
  const bound = await selectBoundMembers(db, account)
  const isBoundIn = (space: string) => bound.some(({ id_space }) => id_space === space)
  const named = (await selectMembersByEmail(db, account.email)).filter(
    ({ id_space }) => !isBoundIn(id_space),
  )
  const taken: Member[] = []
  const places: Place[] = bound.map((member) => ({
    ...{ id_space: member.id_space, member, standing: 'bound' },
  }))
  for (const member of named) {
    const { id_space } = member
    const identity = await selectIdentity(db, member)
    // Bound just now: two browsers of the same person may come back at the same time.
    const isBound = identity?.issuer === account.issuer && identity.subject === account.subject
    if (identity && !isBound) taken.push(member)
    else {
      const standing = isBound ? 'bound' : await standingOf(db, member)
      places.push({ id_space, member, standing })
    }
  }
  const isOfDomain = domains.includes(account.email.slice(account.email.lastIndexOf('@') + 1))
  const [first] = isOfDomain ? await selectSpaces(db) : []
  if (first && ![...bound, ...named].some(({ id_space }) => id_space === first.id_space)) {
    places.push({ id_space: first.id_space, member: undefined, standing: 'known' })
  }
  return { places, taken }
}

async function standingOf(db: Db, member: Member): Promise<Place['standing']> {
  const invitations = await selectInvitations(db, member.id_space)
  const isInvited = invitations.some(({ id_member }) => id_member === member.id)
  return isInvited || (await selectPassword(db, member)) ? 'invited' : 'known'
}

/**
 * Those to choose from at a sign-in: the ones we are most sure about. So an admin who invites an address
 * cannot make its owner end up in another workspace than their own.
 */
export function surest(places: Place[]): Place[] {
  const best = standings.find((standing) => places.some((place) => place.standing === standing))
  return places.filter(({ standing }) => standing === best)
}

// Handlers of members. Their statements are in access/, with those about workspaces and keys.
import { type ApiError, badRequest, notFound } from '@rapport/contract/errors'
import { members as contract } from '@rapport/contract/members'
import {
  deleteMember,
  insertMember,
  type Member,
  selectMember,
  selectMembers,
  selectSpace,
  updateSpace,
} from '../../access/access.sql.ts'
import { selectFactorRule, selectMembersWithFactor } from '../../access/factors.sql.ts'
import { changeFactorRule, resetFactors } from '../../access/factors.ts'
import { lockedUntil } from '../../access/guesses.ts'
import { selectIdentities, selectIdentity } from '../../access/identities.sql.ts'
import { selectInvitations } from '../../access/links.sql.ts'
import { type MadeLink, makeLink } from '../../access/links.ts'
import { mailLink } from '../../access/mail-link.ts'
import { changeMember, locked, storeMember, takenEmail } from '../../access/members.ts'
import { requireEmail, requireName, requireTimeZone } from '../../access/names.ts'
import { requireOtherOwner, requireOwnerFor } from '../../access/owners.ts'
import { selectPassword } from '../../access/passwords.sql.ts'
import { revokeSessionOf, selectSession, selectSessions } from '../../access/sessions.sql.ts'
import { unbindMember } from '../../access/unbind.ts'
import { type Db, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import type { Author } from '../../feed/author.ts'
import { recordCreated, recordDeleted, recordUpdated } from '../../feed/record.sql.ts'
import { type Call, resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { handOver } from '../leads/bulk/bulk.ts'
import { buildAgain } from '../leads/duplicates/build.sql.ts'
import { convertRates } from '../rates/rates.ts'
import { moveToZone } from '../reminders/reminders.zone.ts'

export const members = resource(contract, {
  async me(db, { space, user, role, scopes = null, actor, settings }) {
    const owner = { id_space: space, id: user }
    const [member, workspace, password, session] = await Promise.all([
      selectMember(db, space, user),
      selectSpace(db, space),
      selectPassword(db, owner),
      actor.way === 'web' && actor.key ? selectSession(db, owner, actor.key) : undefined,
    ])
    if (!member || !workspace) throw notFound()
    const { way } = actor
    const has_password = password !== undefined
    const mail = settings.mail !== undefined
    return {
      ...member,
      workspace,
      key: { role, scopes },
      way,
      has_password,
      mail,
      session: session ?? null,
    }
  },

  async list(db, { space, role, now }) {
    const [members, invitations, identities] = await Promise.all([
      selectMembers(db, space),
      selectInvitations(db, space),
      selectIdentities(db, space),
    ])
    const ends = new Map(invitations.map(({ id_member, expires_at }) => [id_member, expires_at]))
    const issuers = new Map(identities.map(({ id_member, issuer }) => [id_member, issuer]))
    const emails = role === 'admin' ? members.map(({ email }) => email) : []
    const locked = await lockedUntil(db, emails, now)
    return members.map((member) => ({
      ...member,
      invited_until: ends.get(member.id) ?? null,
      password_locked_until: locked.get(member.email) ?? null,
      provider: hostOf(issuers.get(member.id)),
    }))
  },

  async invite(db, call) {
    const email = requireEmail(call.body.email)
    const { role = 'write' } = call.body
    const name = requireName(call.body.name ?? email)
    return locked(db, call, async (tx) => {
      await requireOwnerFor(tx, call, role)
      const known = (await selectMembers(tx, call.space)).find((one) => one.email === email)
      if (known) await requireUnused(tx, call, known, role)
      const member = await inviteMember(tx, call, { email, name, role }, known)
      const made = await makeLink(tx, member, 'invitation', call.now)
      const shown = await handOut(tx, call, member, 'invitation', made)
      return { ...member, invited_until: made.expires_at, provider: null, ...shown }
    })
  },

  async update(db, call) {
    const { id, body } = call
    const { role } = body
    const change = {
      ...pick(body, ['role']),
      ...(body.name !== undefined && { name: requireName(body.name) }),
    }
    return locked(db, call, async (tx) => {
      const member = await requireMember(tx, call.space, id)
      await requireOwnerFor(tx, call, member.role, role)
      if (role && role !== 'owner') await requireOtherOwner(tx, member, ['role'])
      const isChange = Object.keys(change).length > 0
      const row = isChange ? await changeMember(tx, call, member, change) : member
      const provider = hostOf((await selectIdentity(tx, member))?.issuer)
      return { ...row, invited_until: await invitationEnd(tx, member), provider }
    })
  },

  async remove(db, call) {
    const heirs = call.query.hand_over_to?.split(',')
    const operation = await locked(db, call, async (tx) => {
      const member = await requireMember(tx, call.space, call.id)
      await requireOwnerFor(tx, call, member.role)
      await requireOtherOwner(tx, member, [])
      const operation = heirs && (await handOver(tx, call, member.id, heirs, ['hand_over_to']))
      await removeMember(tx, call, member)
      return operation
    })
    if (operation) call.say('X-Operation-Id', operation)
    return 'Member removed'
  },

  async createLink(db, call) {
    const member = await requireMember(db, call.space, call.id)
    await requireOwnerFor(db, call, member.role)
    const isInvited = (await invitationEnd(db, member)) !== null
    const purpose: MemberLinkPurpose = isInvited ? 'invitation' : 'reset'
    if (call.settings.openidOnly && purpose === 'reset') throw noPasswords()
    return transaction(db, async (tx) => {
      await audit(tx, call, 'link.created', { id_member: member.id, purpose })
      const made = await makeLink(tx, member, purpose, call.now)
      return { purpose, ...(await handOut(tx, call, member, purpose, made)) }
    })
  },

  async unbind(db, call) {
    await locked(db, call, async (tx) => {
      const member = await requireMember(tx, call.space, call.id)
      await requireOwnerFor(tx, call, member.role)
      await unbindMember(tx, call, member)
    })
    return 'The member can sign in with another account'
  },

  async sessions(db, call) {
    const member = await requireMember(db, call.space, call.id)
    await requireOwnerFor(db, call, member.role)
    return selectSessions(db, member, call.now)
  },

  async endSession(db, call) {
    await transaction(db, async (tx) => {
      const id_member = await revokeSessionOf(tx, call.space, call.id, call.now)
      const member = id_member && (await selectMember(tx, call.space, id_member))
      if (!member) throw notFound()
      await requireOwnerFor(tx, call, member.role)
      await audit(tx, call, 'session.ended', { session: call.id, id_member })
    })
    return 'Session ended'
  },

  async resetFactors(db, call) {
    await locked(db, call, async (tx) => {
      const member = await requireMember(tx, call.space, call.id)
      await requireOwnerFor(tx, call, member.role)
      await resetFactors(tx, call, member)
    })
    return 'Second factor reset'
  },

  getFactorRule: (db, { space }) => factorRule(db, space),

  async updateFactorRule(db, call) {
    await locked(db, call, (tx) => changeFactorRule(tx, call, call.body.required))
    return factorRule(db, call.space)
  },

  async updateWorkspace(db, call) {
    const { time_zone, currency } = call.body
    if (time_zone !== undefined) await requireTimeZone(db, time_zone)
    const change = {
      ...pick(call.body, ['time_zone', 'currency']),
      ...((time_zone ?? currency) !== undefined && { is_new: false }),
      ...(call.body.name !== undefined && { name: requireName(call.body.name) }),
    }
    return locked(db, call, async (tx) => {
      const before = await selectSpace(tx, call.space)
      const isChange = Object.keys(change).length > 0
      const after = isChange ? await updateSpace(tx, call.space, change) : before
      if (!before || !after) throw notFound()
      await recordUpdated(tx, call, 'workspace', before, { id: call.space, ...after })
      if (before.time_zone !== after.time_zone) {
        await buildAgain(tx, call.space)
        await moveToZone(tx, call, before.time_zone, after.time_zone)
      }
      if (before.currency !== after.currency) {
        await convertRates(tx, call, before.currency, after.currency)
      }
      return after
    })
  },
})

async function factorRule(db: Db, space: string) {
  const [required, members] = await Promise.all([
    selectFactorRule(db, space),
    selectMembersWithFactor(db, space),
  ])
  return { required, members }
}

type MemberLinkPurpose = 'invitation' | 'reset'

function hostOf(issuer: string | undefined): string | null {
  return issuer === undefined ? null : new URL(issuer).host
}

function noPasswords(): ApiError {
  const message = 'Passwords are disabled (OIDC_ONLY). The member signs in with the provider.'
  return badRequest({ path: [], code: 'openid_only', message })
}

async function requireMember(db: Db, space: string, id: string): Promise<Member> {
  const member = await selectMember(db, space, id)
  if (!member) throw notFound()
  return member
}

async function invitationEnd(db: Db, { id_space, id }: Member): Promise<string | null> {
  const invitations = await selectInvitations(db, id_space)
  return invitations.find(({ id_member }) => id_member === id)?.expires_at ?? null
}

/** A member can be invited again as long as the invitation was not used. */
async function requireUnused(
  tx: Db,
  call: Call,
  known: Member,
  role: Member['role'],
): Promise<void> {
  if ((await invitationEnd(tx, known)) === null) {
    throw takenEmail()
  }
  await requireOwnerFor(tx, call, known.role)
  if (role !== 'owner') await requireOtherOwner(tx, known, ['role'])
}

async function inviteMember(
  tx: Db,
  by: Author,
  order: Pick<Member, 'email' | 'name' | 'role'>,
  known: Member | undefined,
): Promise<Member> {
  await audit(tx, by, 'member.invited', { email: order.email, role: order.role })
  if (known) return storeMember(tx, by, known, order)
  const created_at = by.now.toISOString()
  const added = { id_space: by.space, id: newId(), ...order, created_at }
  const member: Member = { ...added, time_zone: null, picture: null }
  await insertMember(tx, member)
  await recordCreated(tx, by, 'member', member)
  return member
}

async function removeMember(tx: Db, by: Author, member: Member): Promise<void> {
  const { id, name, email, role } = member
  await deleteMember(tx, member)
  await audit(tx, by, 'member.deleted', { id, name, email, role })
  await recordDeleted(tx, by, 'member', member)
}

/** Where people sign in with the provider only, the link is the address of the page. */
async function handOut(
  tx: Db,
  { settings, page, now }: Call,
  member: Member,
  purpose: MemberLinkPurpose,
  made: MadeLink,
) {
  const path = settings.openidOnly ? '' : made.path
  const sent_to = await mailLink(tx, settings.mail, member, purpose, { ...made, path }, now)
  return { link: page() + path, expires_at: made.expires_at, sent_to }
}

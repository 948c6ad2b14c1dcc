// Uses a one-time link up: signs its member in, after an invitation or a reset with a new password.
import { badRequest, notFound } from '@rapport/contract/errors'
import type { sessionRoutes } from '@rapport/contract/session'
import type { NextStep } from '@rapport/contract/sign-in'
import { endCalendar, type Member, updateMember } from '../access/access.sql.ts'
import { hashKey } from '../access/keys.ts'
import { deleteLinks, type LinkRow, takeLink } from '../access/links.sql.ts'
import { requireName } from '../access/names.ts'
import { storePassword } from '../access/passwords.sql.ts'
import { hashPassword, type PasswordCost, requireGoodPassword } from '../access/passwords.ts'
import { deletePendingOf } from '../access/pending.sql.ts'
import { revokeOtherSessions } from '../access/sessions.sql.ts'
import { type Db, type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { type Author, authorOf } from '../feed/author.ts'
import { recordUpdated } from '../feed/record.sql.ts'
import { enter, handOver } from './complete-step.ts'
import type { Visit } from './handler.ts'

type LinkVisit = Visit<typeof sessionRoutes.signInWithLink>

/** An invalid name or password is reported before the link is used up. */
export async function openLink(
  db: Pool,
  { purpose }: LinkRow,
  member: Member,
  visit: LinkVisit,
  cost: PasswordCost,
): Promise<NextStep | null> {
  const { body, now } = visit
  const name = purpose === 'invitation' ? requireName(body.name ?? '') : undefined
  const hash = purpose === 'sign_in' ? undefined : await newHash(body.password, member.email, cost)
  const entry = await transaction(db, async (tx) => {
    // Of two requests with the same link, one gets it.
    if (!(await takeLink(tx, hashKey(body.token), now))) throw notFound()
    const by = authorOf('web', member.id_space, now, member.id)
    if (name) await acceptInvitation(tx, by, member, name)
    if (hash) await resetPassword(tx, by, member, hash)
    return enter(tx, member, { way: 'link' }, visit)
  })
  return handOver(entry, member, visit)
}

async function acceptInvitation(tx: Db, by: Author, member: Member, name: string): Promise<void> {
  const after = await updateMember(tx, member, { name })
  if (after) await recordUpdated(tx, by, 'member', member, after)
}

/** The older ways in end: sessions, links, sign-ins that wait for their second step, and the calendar's address. */
async function resetPassword(tx: Db, by: Author, member: Member, hash: string): Promise<void> {
  await storePassword(tx, member, hash, by.now)
  await deleteLinks(tx, member, ['sign_in', 'invitation', 'reset'])
  await deletePendingOf(tx, member)
  await endCalendar(tx, member)
  const ended = await revokeOtherSessions(tx, member, null, by.now)
  await audit(tx, by, 'password.changed', { ended_sessions: ended })
}

function newHash(password: string | undefined, email: string, cost: PasswordCost): Promise<string> {
  if (password === undefined) {
    throw badRequest({ path: ['password'], code: 'required', message: 'Required' })
  }
  requireGoodPassword(password, email)
  return hashPassword(password, cost)
}

// Links that people ask for themselves, by mail: to sign in, or to choose a new password. Nobody learns from it whether
// an address is a member's: the response is the same, and comes before the work.
import { badRequest } from '@rapport/contract/errors'
import type { sessionRoutes } from '@rapport/contract/session'
import { selectMembersByEmail } from '../access/access.sql.ts'
import { takeGuess } from '../access/guesses.sql.ts'
import { accountOf, clientOf, requireBudget } from '../access/guesses.ts'
import { selectInvitations } from '../access/links.sql.ts'
import { makeLink } from '../access/links.ts'
import { mailLink } from '../access/mail-link.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { normalizeEmail } from '../email-address.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import type { Background } from '../http/background.ts'
import type { Mail } from '../mail/mail.ts'
import type { Visit } from './handler.ts'

/** An address gets few of them, or somebody could fill its mailbox; a client may be many people. */
const ofAddress = { hour: 4, day: 12 }
const ofClient = { hour: 40, day: 200 }

type Asked = Visit<typeof sessionRoutes.requestLink>

export async function requestLink(
  { db, mail, background }: { db: Pool; mail: Mail | undefined; background: Background },
  { body, request, now }: Asked,
): Promise<string> {
  if (!mail) {
    const message = 'The service sends no mail. Ask an admin of your workspace for a link.'
    throw badRequest({ path: [], code: 'no_mail', message })
  }
  await requireBudget(db, `mail ${clientOf(request.ip)}`, ofClient, now)
  const email = normalizeEmail(body.email)
  if (email) background.run(request.log, () => mailLinks(db, mail, email, body.purpose, now))
  return 'If a member has this address, a mail with a link is on the way'
}

/** One for each workspace of the person. */
async function mailLinks(
  db: Pool,
  mail: Mail,
  email: string,
  purpose: Asked['body']['purpose'],
  now: Date,
): Promise<void> {
  const members = await selectMembersByEmail(db, email)
  if (members.length === 0) return
  const isAllowed = await takeGuess(db, `mail ${accountOf(email)}`, ofAddress, now)
  if (isAllowed === undefined) return
  for (const member of members) {
    await transaction(db, async (tx) => {
      const invitations = await selectInvitations(tx, member.id_space)
      const isInvited = invitations.some(({ id_member }) => id_member === member.id)
      const wanted = isInvited ? 'invitation' : purpose
      const link = await makeLink(tx, member, wanted, now)
      await mailLink(tx, mail, member, wanted, link, now)
      const by = authorOf('web', member.id_space, now)
      await audit(tx, by, 'link.created', { id_member: member.id, purpose: wanted, mailed: true })
    })
  }
}

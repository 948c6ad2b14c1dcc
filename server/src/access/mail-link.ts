// Sends a one-time link to its member by mail.
import type { LinkPurpose } from '@rapport/contract/sign-in'
import type { Db } from '../db/driver.ts'
import { isMailPaused } from '../mail/mail.sql.ts'
import type { Mail } from '../mail/mail.ts'
import { inTime } from '../words.ts'
import { type Member, selectSpace } from './access.sql.ts'
import { type MadeLink, validMs } from './links.ts'

const once = (purpose: LinkPurpose) => `The link works once, within ${inTime(validMs[purpose])}.`
const unasked = 'If you did not ask for it, you can ignore this mail.'

const texts: Record<
  LinkPurpose,
  (workspace: string) => { subject: string; lines: string[]; action: string }
> = {
  invitation: (workspace) => ({
    subject: `You are invited to ${workspace}`,
    lines: [`Choose a name and a password to join. ${once('invitation')}`],
    action: 'Join',
  }),
  reset: () => ({
    subject: 'Choose a new password',
    lines: [`${once('reset')} ${unasked}`],
    action: 'Choose a new password',
  }),
  sign_in: (workspace) => ({
    subject: `Sign in to ${workspace}`,
    lines: [`${once('sign_in')} ${unasked}`],
    action: 'Sign in',
  }),
}

/** Returns the address that it goes to. Null: the service sends no mail, so somebody has to hand the link over. */
export async function mailLink(
  tx: Db,
  mail: Mail | undefined,
  { id_space, id, email }: Pick<Member, 'id_space' | 'id' | 'email'>,
  purpose: LinkPurpose,
  { path, expires_at }: MadeLink,
  now: Date,
): Promise<string | null> {
  // A link would not outlive a long pause.
  if (!mail || (await isMailPaused(tx, id_space))) return null
  const workspace = await selectSpace(tx, id_space)
  const { action, ...text } = texts[purpose](workspace?.name ?? '')
  await mail.queue(tx, {
    ...{ space: id_space, member: id, kind: purpose, ...text, now },
    action: { text: action, path },
    expiresAt: new Date(expires_at),
  })
  return email
}

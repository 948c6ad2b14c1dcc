// One-time links that let a member in. The token is in the fragment of the address, which browsers send
// to no server: it is in no log and in no Referer header.
import { invitationDays, type LinkPurpose, linkPurposes } from '@rapport/contract/sign-in'
import type { Db } from '../db/driver.ts'
import type { Member } from './access.sql.ts'
import { hashKey, newKey } from './keys.ts'
import { replaceLink } from './links.sql.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How long each works. */
export const validMs: Record<LinkPurpose, number> = {
  sign_in: 30 * minuteMs,
  invitation: invitationDays * dayMs,
  reset: dayMs,
}

export interface MadeLink {
  /** What follows the address of the page: /#sign-in=… */
  path: string
  expires_at: string
}

/** Makes a link for the member. An older one of the same purpose stops working. */
export async function makeLink(
  db: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
  purpose: LinkPurpose,
  now: Date,
): Promise<MadeLink> {
  const token = newKey('link')
  const created_at = now.toISOString()
  const expires_at = new Date(now.getTime() + validMs[purpose]).toISOString()
  const link = { id_space, id_member: id, purpose, created_at, expires_at }
  await replaceLink(db, { ...link, hash: hashKey(token) })
  return { path: `/#${linkPurposes[purpose]}=${token}`, expires_at }
}

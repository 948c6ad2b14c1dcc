import type { LinkPurpose } from '@rapport/contract/sign-in'
import type { Db } from '../db/driver.ts'
import { rowValues, run, runOne } from '../db/sql.ts'
import type { Member } from './access.sql.ts'

export interface LinkRow {
  id_space: string
  id_member: string
  purpose: LinkPurpose
  created_at: string
  expires_at: string
}

/** Stores a link in place of the member's older one of the same purpose. */
export async function replaceLink(db: Db, link: LinkRow & { hash: string }): Promise<void> {
  const { hash, created_at, expires_at } = link
  await run(db)`insert into sign_in_link ${rowValues(link)}
    on conflict (id_space, id_member, purpose) do update set
      hash = ${hash}, created_at = ${created_at}, expires_at = ${expires_at}`
}

export function selectLink(db: Db, hash: string, now: Date): Promise<LinkRow | undefined> {
  return runOne<LinkRow>(db)`
    select id_space, id_member, purpose, created_at, expires_at from sign_in_link
    where hash = ${hash} and expires_at > ${now}`
}

/** Returns the link for the only caller that gets it. */
export function takeLink(db: Db, hash: string, now: Date): Promise<LinkRow | undefined> {
  return runOne<LinkRow>(db)`
    delete from sign_in_link where hash = ${hash} and expires_at > ${now}
    returning id_space, id_member, purpose, created_at, expires_at`
}

/** Removes links of these purposes that the member has not used. */
export async function deleteLinks(
  db: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
  purposes: LinkPurpose[],
): Promise<void> {
  await run(db)`delete from sign_in_link
    where id_space = ${id_space} and id_member = ${id} and purpose = any(${purposes}::text[])`
}

/** The invitations of a workspace that were not used, including those that have expired. */
export function selectInvitations(db: Db, space: string) {
  return run<Pick<LinkRow, 'id_member' | 'expires_at'>[]>(db)`
    select id_member, expires_at from sign_in_link
    where id_space = ${space} and purpose = 'invitation'`
}

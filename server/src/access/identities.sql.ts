// The accounts at an OpenID Connect provider that members are bound to.
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, rowValues, run, runOne } from '../db/sql.ts'
import type { Member } from './access.sql.ts'

type Owner = Pick<Member, 'id_space' | 'id'>

/** An account at a provider. The subject never changes and is given to nobody else; an address may be. */
export interface Identity {
  issuer: string
  subject: string
}

/** The members that are bound to this account, of all workspaces, the oldest first. */
export function selectBoundMembers(db: Db, { issuer, subject }: Identity): Promise<Member[]> {
  return run<Member[]>(db)`
    ${acrossWorkspaces} select m.id_space, m.id, m.name, m.email, m.role, m.created_at
    from member_identity i join member m on m.id_space = i.id_space and m.id = i.id_member
    where i.issuer = ${issuer} and i.subject = ${subject}
    order by m.created_at, m.id`
}

export function selectIdentity(db: Db, { id_space, id }: Owner) {
  return runOne<Identity>(db)`select issuer, subject from member_identity
    where id_space = ${id_space} and id_member = ${id}`
}

export function selectIdentities(
  db: Db,
  space: string,
): Promise<{ id_member: string; issuer: string }[]> {
  return run<{ id_member: string; issuer: string }[]>(db)`
    select id_member, issuer from member_identity where id_space = ${space}`
}

export async function insertIdentity(
  db: Db,
  { id_space, id }: Owner,
  { issuer, subject }: Identity,
  bound_at: Date,
): Promise<void> {
  const row = { id_space, id_member: id, issuer, subject, bound_at }
  await run(db)`insert into member_identity ${rowValues(row)}`
}

/** Returns the account that the member was bound to. */
export function deleteIdentity(db: Db, { id_space, id }: Owner): Promise<Identity | undefined> {
  return runOne<Identity>(db)`
    delete from member_identity where id_space = ${id_space} and id_member = ${id}
    returning issuer, subject`
}

import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, run } from '../db/sql.ts'
import type { Member } from './access.sql.ts'

type Owner = Pick<Member, 'id_space' | 'id'>

export interface PasswordOwner extends Owner {
  hash: string
}

/** Every member with this address (in its normal form) that has a password, of all workspaces, the oldest first. */
export function selectPasswordOwners(db: Db, email: string): Promise<PasswordOwner[]> {
  return run<PasswordOwner[]>(db)`${acrossWorkspaces} select m.id_space, m.id, p.hash
    from member m join member_password p on p.id_space = m.id_space and p.id_member = m.id
    where m.email = ${email}
    order by m.created_at, m.id`
}

/** How many members with a password may share an email address, each in a different workspace. */
export async function selectMostShared(db: Db): Promise<number> {
  const [row] = await run<{ most: number | null }[]>(db)`
    ${acrossWorkspaces} select max(shared) as most from (
    select count(*) as shared
    from member m join member_password p on p.id_space = m.id_space and p.id_member = m.id
    group by m.email
  ) as addresses`
  return row?.most ?? 0
}

export async function selectPassword(db: Db, { id_space, id }: Owner): Promise<string | undefined> {
  const [row] = await run<{ hash: string }[]>(db)`
    select hash from member_password where id_space = ${id_space} and id_member = ${id}`
  return row?.hash
}

/** Whether the member has a password that was not changed after this time. */
export async function isPasswordSince(
  db: Db,
  { id_space, id }: Owner,
  time: string,
): Promise<boolean> {
  const rows = await run(db)`select id_member from member_password
    where id_space = ${id_space} and id_member = ${id} and changed_at <= ${time}`
  return rows.length > 0
}

export async function hasPasswords(db: Db): Promise<boolean> {
  const rows = await run(db)`${acrossWorkspaces} select 1 as one from member_password limit 1`
  return rows.length > 0
}

export async function storePassword(
  db: Db,
  { id_space, id }: Owner,
  hash: string,
  now: Date,
): Promise<void> {
  await run(db)`insert into member_password (id_space, id_member, hash, changed_at)
    values (${id_space}, ${id}, ${hash}, ${now})
    on conflict (id_space, id_member) do update set hash = ${hash}, changed_at = ${now}`
}

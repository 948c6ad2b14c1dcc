// Makes workspaces with members and a key, directly in the database.
import type { MemberRole } from '@rapport/contract/roles'
import { insertMember, insertSpace, type NewSpace } from '../src/access/access.sql.ts'
import { issueKey } from '../src/access/issue-key.ts'
import { tableExists } from '../src/backup/tables.sql.ts'
import type { Db } from '../src/db/driver.ts'
import { rowValues, run } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'

export interface NewWorkspace {
  id_space: string
  owner: string
  /** A key of the owner, with all rights. */
  key: string
}

/** The default of `ownerName` is the name of the workspace. */
export async function makeWorkspace(
  db: Db,
  { name, ownerName = name, created_at }: { name: string; ownerName?: string; created_at: string },
): Promise<NewWorkspace> {
  const id_space = newId()
  await insertSpace(db, { id_space, name, time_zone: 'UTC', created_at })
  const owner = await addMember(db, { id_space, name: ownerName, role: 'owner', created_at })
  const order = { id_space, id_member: owner, role: 'admin', name, created_at } as const
  return { id_space, owner, key: (await issueKey(db, order)).key }
}

/** A workspace in a database with an old schema, which has no change feed. */
export async function insertOldSpace(db: Db, space: NewSpace): Promise<void> {
  if (await tableExists(db, 'event_head')) await insertSpace(db, space)
  else await run(db)`insert into space ${rowValues(space)}`
}

export async function addMember(
  db: Db,
  member: { id_space: string; name: string; role: MemberRole; created_at: string },
): Promise<string> {
  const id = newId()
  await insertMember(db, { ...member, id, email: `${id}@example.com` })
  return id
}

// All statements about workspaces, members and keys.
import { Member as MemberShape, Workspace } from '@rapport/contract/members'
import { type Role, roles } from '@rapport/contract/route'
import { Nullable, OneOf } from '@rapport/contract/shapes'
import { type Static, Type } from 'typebox'
import type { Db } from '../db/driver.ts'
import { columnsOf } from '../db/rows.ts'
import { rowValues, run, sql } from '../db/sql.ts'

const SpaceTable = Type.Object({ ...Workspace.properties, created_at: Type.String() })
export type Space = Static<typeof SpaceTable>

const MemberTable = Type.Object({
  id_space: Type.String(),
  ...MemberShape.properties,
  created_at: Type.String(),
})
export type Member = Static<typeof MemberTable>

const KeyTable = Type.Object({
  id: Type.String(),
  id_space: Type.String(),
  id_member: Type.String(),
  role: OneOf(roles),
  name: Type.String(),
  hint: Type.String(),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String()),
})
export type ApiKey = Static<typeof KeyTable> & { role: Role }

const spaceColumns = columnsOf(SpaceTable)
const memberColumns = columnsOf(MemberTable)
const keyColumns = columnsOf(KeyTable)

export async function insertSpace(db: Db, space: Space): Promise<void> {
  await run(db, sql`insert into space ${rowValues(space)}`)
}

export function selectSpaces(db: Db): Promise<Space[]> {
  return run<Space[]>(db, sql`select ${spaceColumns} from space order by created_at, id_space`)
}

export async function selectSpace(db: Db, space: string): Promise<Space | undefined> {
  const [row] = await run<Space[]>(
    db,
    sql`select ${spaceColumns} from space where id_space = ${space}`,
  )
  return row
}

/**
 * Locks the workspace, so that one import or demo at a time works on it: two would not see what the
 * other adds.
 */
export async function lockSpace(db: Db, space: string): Promise<void> {
  await run(db, sql`select id_space from space where id_space = ${space} for no key update`)
}

/** The owner of the oldest workspace. */
export async function selectFirstOwner(db: Db): Promise<Member | undefined> {
  const [space] = await selectSpaces(db)
  if (!space) return undefined
  const members = await selectMembers(db, space.id_space)
  return members.find(({ role }) => role === 'owner')
}

export async function insertMember(db: Db, member: Member): Promise<void> {
  await run(db, sql`insert into member ${rowValues(member)}`)
}

export function selectMembers(db: Db, space: string): Promise<Member[]> {
  return run<Member[]>(
    db,
    sql`select ${memberColumns} from member where id_space = ${space} order by created_at, id`,
  )
}

export async function selectMember(db: Db, space: string, id: string): Promise<Member | undefined> {
  const [row] = await run<Member[]>(
    db,
    sql`select ${memberColumns} from member where id_space = ${space} and id = ${id}`,
  )
  return row
}

/** Returns which of these are members of the workspace. */
export async function selectMemberIds(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await run<{ id: string }[]>(
    db,
    sql`select id from member where id_space = ${space} and id = any(${ids}::uuid[])`,
  )
  return rows.map(({ id }) => id)
}

export type StoredKey = ApiKey & { hash: string }

export async function insertKey(db: Db, key: StoredKey): Promise<void> {
  await run(db, sql`insert into api_key ${rowValues(key)}`)
}

export function selectKeysByHash(db: Db, hashes: string[]): Promise<StoredKey[]> {
  return run<StoredKey[]>(
    db,
    sql`select hash, ${keyColumns} from api_key where hash = any(${hashes}::text[])`,
  )
}

export function selectKeys(db: Db, space: string | undefined): Promise<ApiKey[]> {
  return run<ApiKey[]>(
    db,
    sql`select ${keyColumns} from api_key
      ${space === undefined ? sql`` : sql`where id_space = ${space}`}
      order by created_at, id`,
  )
}

export async function revokeKey(db: Db, id: string, now: Date): Promise<ApiKey | undefined> {
  const [row] = await run<ApiKey[]>(
    db,
    sql`update api_key set revoked_at = coalesce(revoked_at, ${now})
      where id = ${id} returning ${keyColumns}`,
  )
  return row
}

export async function touchKey(db: Db, id: string, now: Date): Promise<void> {
  await run(db, sql`update api_key set last_used_at = ${now} where id = ${id}`)
}

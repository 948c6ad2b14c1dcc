// Workspaces, members and keys: every statement about who may do what.
import type { Db } from '../db/connect.ts'
import type { Role } from '../http/route.ts'

export const memberRoles = ['owner', 'admin', 'write', 'read'] as const
export type MemberRole = (typeof memberRoles)[number]

export interface Space {
  id_space: string
  name: string
  time_zone: string
  created_at: string
}

export interface Member {
  id_space: string
  id: string
  name: string
  email: string
  role: MemberRole
  created_at: string
}

export interface ApiKey {
  id: string
  id_space: string
  id_member: string
  role: Role
  name: string
  hint: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

const keyColumns = [
  'id',
  'id_space',
  'id_member',
  'role',
  'name',
  'hint',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

export async function insertSpace(db: Db, space: Space & { created_at: string }): Promise<void> {
  await db`insert into space ${db(space, 'id_space', 'name', 'time_zone', 'created_at')}`
}

export function selectSpaces(db: Db): Promise<Space[]> {
  return db<Space[]>`
    select id_space, name, time_zone, created_at from space order by created_at, id_space`
}

export async function selectSpace(db: Db, space: string): Promise<Space | undefined> {
  const [row] = await db<Space[]>`
    select id_space, name, time_zone, created_at from space where id_space = ${space}`
  return row
}

/** The workspace that was made first, and its owner. */
export async function selectFirstOwner(db: Db): Promise<Member | undefined> {
  const [space] = await db<{ id_space: string }[]>`
    select id_space from space order by created_at, id_space limit 1`
  if (!space) return undefined
  const [owner] = await db<Member[]>`
    select id_space, id, name, email, role, created_at from member
    where id_space = ${space.id_space} and role = 'owner' order by created_at, id limit 1`
  return owner
}

export async function insertMember(db: Db, member: Member): Promise<void> {
  await db`
    insert into member ${db(member, 'id_space', 'id', 'name', 'email', 'role', 'created_at')}`
}

export function selectMembers(db: Db, space: string): Promise<Member[]> {
  return db<Member[]>`
    select id_space, id, name, email, role, created_at from member
    where id_space = ${space} order by created_at, id`
}

export async function selectMember(db: Db, space: string, id: string): Promise<Member | undefined> {
  const [row] = await db<Member[]>`
    select id_space, id, name, email, role, created_at from member
    where id_space = ${space} and id = ${id}`
  return row
}

export async function insertKey(db: Db, key: ApiKey & { hash: string }): Promise<void> {
  await db`insert into api_key ${db(key, 'hash', ...keyColumns)}`
}

export function selectKeysByHash(db: Db, hashes: string[]): Promise<(ApiKey & { hash: string })[]> {
  return db<(ApiKey & { hash: string })[]>`
    select hash, ${db(keyColumns)} from api_key where hash = any(${hashes}::text[])`
}

export function selectKeys(db: Db, space: string | undefined): Promise<ApiKey[]> {
  return db<ApiKey[]>`
    select ${db(keyColumns)} from api_key
    ${space === undefined ? db`` : db`where id_space = ${space}`}
    order by created_at, id`
}

export async function revokeKey(db: Db, id: string, now: Date): Promise<ApiKey | undefined> {
  const [row] = await db<ApiKey[]>`
    update api_key set revoked_at = coalesce(revoked_at, ${now})
    where id = ${id} returning ${db(keyColumns)}`
  return row
}

export async function touchKey(db: Db, id: string, now: Date): Promise<void> {
  await db`update api_key set last_used_at = ${now} where id = ${id}`
}

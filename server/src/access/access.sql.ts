// All statements about workspaces, members and keys.
import { notFound } from '@rapport/contract/errors'
import { keyKinds } from '@rapport/contract/keys'
import { memberFields, Workspace } from '@rapport/contract/members'
import { type Role, roles, scopes } from '@rapport/contract/roles'
import { Nullable, OneOf } from '@rapport/contract/shapes'
import { type Static, Type } from 'typebox'
import type { Db } from '../db/driver.ts'
import { columnsOf } from '../db/rows.ts'
import {
  acrossWorkspaces,
  assignments,
  columnNames,
  join,
  rowValues,
  run,
  runOne,
  sql,
} from '../db/sql.ts'
import { selectTenantTables, unreferring } from '../db/tables.sql.ts'
import { trustReferences } from '../db/trust-references.ts'
import { insertHead } from '../feed/head.sql.ts'

const SpaceTable = Type.Object({ ...Workspace.properties, created_at: Type.String() })
export type Space = Static<typeof SpaceTable>

const MemberTable = Type.Object({
  id_space: Type.String(),
  ...memberFields,
  created_at: Type.String(),
})
export type Member = Static<typeof MemberTable>

/** A browser session is a key too. Its `name` is the device. */
const storedKinds = [...keyKinds, 'session'] as const

const KeyTable = Type.Object({
  id: Type.String(),
  kind: OneOf(storedKinds),
  id_space: Type.String(),
  id_member: Type.String(),
  role: OneOf(roles),
  scopes: Nullable(Type.Array(OneOf(scopes))),
  allowed_from: Nullable(Type.Array(Type.String())),
  name: Type.String(),
  hint: Type.String(),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String()),
  last_used_from: Nullable(Type.String()),
  /** Of a session: when its person signed in, and when they last proved who they are. */
  signed_in_at: Nullable(Type.String()),
  confirmed_at: Nullable(Type.String()),
})
export type ApiKey = Static<typeof KeyTable> & { role: Role }
/** Not a session. */
export type ProgramKey = ApiKey & { kind: (typeof keyKinds)[number] }

const spaceColumns = columnsOf(SpaceTable)
const memberColumns = columnsOf(MemberTable)
const keyColumns = columnsOf(KeyTable)

export type NewSpace = Omit<Space, 'currency' | 'is_new'> &
  Pick<Partial<Space>, 'currency' | 'is_new'>

export async function insertSpace(db: Db, space: NewSpace): Promise<void> {
  await run(db)`insert into space ${rowValues(space)}`
  await insertHead(db, space.id_space)
}

export function selectSpaces(db: Db): Promise<Space[]> {
  return run<Space[]>(db)`
    ${acrossWorkspaces} select ${spaceColumns} from space order by created_at, id_space`
}

export function selectSpace(db: Db, space: string): Promise<Space | undefined> {
  return runOne<Space>(db)`select ${spaceColumns} from space where id_space = ${space}`
}

export function updateSpace(
  db: Db,
  space: string,
  change: Partial<Omit<Space, 'id_space' | 'created_at'>>,
): Promise<Space | undefined> {
  return runOne<Space>(db)`
    update space set ${assignments(change)} where id_space = ${space} returning ${spaceColumns}`
}

/** What a workspace contains, excluding deleted records. */
export interface SpaceContent {
  leads: number
  lists: number
  statuses: number
  tags: number
  attributes: number
  notes: number
  reminders: number
  campaigns: number
  members: number
  keys: number
}

export async function countInSpace(db: Db, space: string): Promise<SpaceContent> {
  const [row] = await run<SpaceContent[]>(db)`select
    (select count(*) from lead where id_space = ${space} and not is_deleted) as leads,
    (select count(*) from list where id_space = ${space} and not is_deleted) as lists,
    (select count(*) from status where id_space = ${space}) as statuses,
    (select count(*) from tag where id_space = ${space}) as tags,
    (select count(*) from attribute where id_space = ${space}) as attributes,
    (select count(*) from note where id_space = ${space} and not is_deleted) as notes,
    (select count(*) from reminder where id_space = ${space} and not is_deleted) as reminders,
    (select count(*) from campaign where id_space = ${space} and not is_deleted) as campaigns,
    (select count(*) from member where id_space = ${space}) as members,
    (select count(*) from api_key where id_space = ${space} and kind <> 'session') as keys`
  return row as SpaceContent
}

/** Removes every way into the workspace, and everything that is sent from it. These tables have no foreign keys. */
export async function deleteKeys(db: Db, space: string): Promise<void> {
  await run(db)`delete from api_key where id_space = ${space}`
  await run(db)`delete from sign_in_link where id_space = ${space}`
  await run(db)`delete from pending_sign_in where id_space = ${space}`
  await run(db)`delete from delivery_queue where id_space = ${space}`
  await run(db)`delete from calendar_token where id_space = ${space}`
}

/**
 * Removes a workspace and everything in it, except its keys, which have no foreign key. The cascades of
 * the foreign keys look for the notes of each lead without an index, which takes minutes. So where the
 * account may turn them off, each table is emptied by one statement. Parents come first: another
 * transaction cannot add a row to what is already deleted, and what it has added before is seen here.
 */
export async function deleteSpace(tx: Db, space: string): Promise<void> {
  const tables = (await trustReferences(tx)) ? await selectTenantTables(tx) : ['space', unreferring]
  for (const table of tables) {
    await run(tx)`delete from ${columnNames([table])} where id_space = ${space}`
  }
}

/**
 * Locks the workspace, so that one import or demo at a time works on it: two would not see what the
 * other adds.
 */
export async function lockSpace(db: Db, space: string): Promise<void> {
  const rows = await run(db)`select id_space from space where id_space = ${space} for no key update`
  // It was removed in the meantime. New rows would belong to no workspace.
  if (rows.length === 0) throw notFound()
}

/** The owner of the oldest workspace. */
export async function selectFirstOwner(db: Db): Promise<Member | undefined> {
  const [space] = await selectSpaces(db)
  return space && selectOwner(db, space.id_space)
}

/** The oldest one. */
export async function selectOwner(db: Db, space: string): Promise<Member | undefined> {
  return (await selectMembers(db, space)).find(({ role }) => role === 'owner')
}

export type NewMember = Omit<Member, 'time_zone' | 'picture'>

export async function insertMember(db: Db, member: NewMember): Promise<void> {
  await run(db)`insert into member ${rowValues(member)}`
}

export function selectMembers(db: Db, space: string): Promise<Member[]> {
  return run<Member[]>(db)`
    select ${memberColumns} from member where id_space = ${space} order by created_at, id`
}

/** The members with this address (in its normal form) in all workspaces, oldest first. */
export function selectMembersByEmail(db: Db, email: string): Promise<Member[]> {
  return run<Member[]>(db)`
    ${acrossWorkspaces} select ${memberColumns} from member where email = ${email}
    order by created_at, id`
}

export function selectMember(db: Db, space: string, id: string): Promise<Member | undefined> {
  return runOne<Member>(db)`
    select ${memberColumns} from member where id_space = ${space} and id = ${id}`
}

export type MemberChange = Partial<Omit<Member, 'id_space' | 'id' | 'created_at'>> & {
  picture_content?: string | null
}

export function updateMember(
  db: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
  change: MemberChange,
): Promise<Member | undefined> {
  return runOne<Member>(db)`update member set ${assignments(change)}
    where id_space = ${id_space} and id = ${id} returning ${memberColumns}`
}

/** As base64. */
export async function selectPicture(
  db: Db,
  space: string,
  picture: string,
): Promise<string | undefined> {
  const [row] = await run<{ picture_content: string }[]>(db)`
    select picture_content from member where id_space = ${space} and picture = ${picture}`
  return row?.picture_content
}

/** What refers to a member, excluding deleted records. */
export interface MemberUses {
  leads: number
  reminders: number
  keys: number
}

export async function countMemberUses(
  db: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
): Promise<MemberUses> {
  const [row] = await run<MemberUses[]>(db)`select
    (select count(*) from lead_owner o
      join lead l on l.id_space = o.id_space and l.id = o.id_lead
      where o.id_space = ${id_space} and l.id_space = ${id_space}
        and o.id_member = ${id} and not l.is_deleted) as leads,
    (select count(*) from reminder_user u
      join reminder r on r.id_space = u.id_space and r.id = u.id_reminder
      where u.id_space = ${id_space} and r.id_space = ${id_space}
        and u.id_member = ${id} and not r.is_deleted) as reminders,
    (select count(*) from api_key
      where id_space = ${id_space} and id_member = ${id} and kind <> 'session') as keys`
  return row as MemberUses
}

/**
 * Removes a member with their keys and links. Their shared views stay, without an owner. Foreign keys remove
 * their private views, and take the member off leads and reminders.
 */
export async function deleteMember(
  tx: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
): Promise<void> {
  await run(tx)`delete from api_key where id_space = ${id_space} and id_member = ${id}`
  await run(tx)`update saved_view set id_member = null
    where id_space = ${id_space} and id_member = ${id} and shared`
  await run(tx)`delete from sign_in_link where id_space = ${id_space} and id_member = ${id}`
  await run(tx)`delete from pending_sign_in where id_space = ${id_space} and id_member = ${id}`
  await endCalendar(tx, { id_space, id })
  await run(tx)`delete from member where id_space = ${id_space} and id = ${id}`
}

/** Ends the address of the member's calendar. Returns whether there was one. */
export async function endCalendar(
  tx: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
): Promise<boolean> {
  const rows = await run(tx)`
    delete from calendar_token where id_space = ${id_space} and id_member = ${id} returning hash`
  return rows.length > 0
}

/** Returns which of these are members of the workspace. */
export async function selectMemberIds(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await run<{ id: string }[]>(db)`
    select id from member where id_space = ${space} and id = any(${ids}::uuid[])`
  return rows.map(({ id }) => id)
}

export type StoredKey = ApiKey & { hash: string }

export async function insertKey(db: Db, key: StoredKey): Promise<void> {
  await run(db)`insert into api_key ${rowValues(key)}`
}

export function selectKeysByHash(db: Db, hashes: string[]): Promise<StoredKey[]> {
  return run<StoredKey[]>(db)`
    select hash, ${keyColumns} from api_key where hash = any(${hashes}::text[])`
}

/** A key with the member it acts as and their workspace, by the names that people know. */
export type ListedKey = ProgramKey & { member: string | null; workspace: string | null }

/** All API keys of one workspace, or of all. Sessions are not among them. */
export function selectKeys(db: Db, space: string | undefined): Promise<ListedKey[]> {
  const isAll = space === undefined
  const its = isAll ? sql`k.id_space` : sql`${space}`
  return run<ListedKey[]>(db)`${isAll ? acrossWorkspaces : sql``}
    select ${join(
      Object.keys(KeyTable.properties).map((name) => sql`k.${columnNames([name])}`),
      ', ',
    )},
      m.email as member, s.name as workspace
    from api_key k
    left join member m on m.id_space = ${its} and m.id = k.id_member
    left join space s on s.id_space = ${its}
    where k.kind <> 'session' and k.id_space = ${its}
    order by k.created_at, k.id`
}

export function selectKey(db: Db, space: string, id: string): Promise<ApiKey | undefined> {
  return runOne<ApiKey>(db)`
    select ${keyColumns} from api_key where id_space = ${space} and id = ${id}`
}

/** Revokes an API key. Undefined when the workspace has none with this id. */
export function revokeKey(db: Db, { id_space, id }: Pick<ApiKey, 'id_space' | 'id'>, now: Date) {
  return runOne<ApiKey>(db)`update api_key set revoked_at = coalesce(revoked_at, ${now})
    where id_space = ${id_space} and id = ${id} and kind <> 'session' returning ${keyColumns}`
}

/** Stores the last use of a key, and its new end if it gets one. */
export async function touchKey(
  db: Db,
  { id_space, id }: Pick<ApiKey, 'id_space' | 'id'>,
  use: Pick<ApiKey, 'last_used_at' | 'last_used_from'> & Partial<Pick<ApiKey, 'expires_at'>>,
): Promise<void> {
  await run(db)`update api_key set ${assignments(use)} where id_space = ${id_space} and id = ${id}`
}

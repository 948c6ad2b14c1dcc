import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, run, runOne } from '../db/sql.ts'
import type { ApiKey, Member } from './access.sql.ts'
import type { RefusedNotice } from './guesses.sql.ts'

type Owner = Pick<Member, 'id_space' | 'id'>

export type SessionRow = Pick<ApiKey, 'id' | 'created_at' | 'last_used_at'> & {
  device: string
  expires_at: string
  refused: RefusedNotice | null
}

/** The sessions of a member that have not ended, the one used last first. */
export function selectSessions(db: Db, { id_space, id }: Owner, now: Date): Promise<SessionRow[]> {
  return run<SessionRow[]>(db)`
    select id, name as device, created_at, last_used_at, expires_at, refused from api_key
    where id_space = ${id_space} and id_member = ${id} and kind = 'session'
      and revoked_at is null and expires_at > ${now}
    order by coalesce(last_used_at, created_at) desc, id`
}

/** A session with its member and workspace, by the names that people know. */
export type ListedSession = Omit<SessionRow, 'refused'> & {
  id_space: string
  member: string
  workspace: string
}

/** The sessions of all workspaces that have not ended. */
export function selectAllSessions(db: Db, now: Date): Promise<ListedSession[]> {
  return run<ListedSession[]>(db)`
    ${acrossWorkspaces} select k.id_space, k.id, k.name as device, k.created_at, k.last_used_at,
      k.expires_at, m.email as member, s.name as workspace
    from api_key k
    join member m on m.id_space = k.id_space and m.id = k.id_member
    join space s on s.id_space = k.id_space
    where k.kind = 'session' and k.revoked_at is null and k.expires_at > ${now}
    order by coalesce(k.last_used_at, k.created_at) desc, k.id`
}

export function selectSession(db: Db, { id_space, id }: Owner, session: string) {
  return runOne<SessionRow>(db)`
    select id, name as device, created_at, last_used_at, expires_at, refused from api_key
    where id_space = ${id_space} and id_member = ${id} and kind = 'session' and id = ${session}`
}

export async function storeConfirmation(
  db: Db,
  { id_space, id }: Owner,
  session: string,
  now: Date,
): Promise<void> {
  await run(db)`update api_key set confirmed_at = ${now}
    where id_space = ${id_space} and id_member = ${id} and kind = 'session' and id = ${session}`
}

/** Returns false when the member has no such session. */
export async function revokeSession(
  db: Db,
  { id_space, id }: Owner,
  session: string,
  now: Date,
): Promise<boolean> {
  const rows = await run(db)`update api_key set revoked_at = ${now}
    where id_space = ${id_space} and id_member = ${id} and kind = 'session' and id = ${session}
      and revoked_at is null
    returning id`
  return rows.length > 0
}

/** Ends any session of the workspace. Returns its member; undefined when there is no such session. */
export async function revokeSessionOf(
  db: Db,
  space: string,
  session: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await run<{ id_member: string }[]>(db)`update api_key set revoked_at = ${now}
    where id_space = ${space} and id = ${session} and kind = 'session'
      and revoked_at is null and expires_at > ${now}
    returning id_member`
  return row?.id_member
}

/** Ends all sessions of a member but one, and returns their number. */
export async function revokeOtherSessions(
  db: Db,
  { id_space, id }: Owner,
  kept: string | null,
  now: Date,
): Promise<number> {
  const rows = await run(db)`update api_key set revoked_at = ${now}
    where id_space = ${id_space} and id_member = ${id} and kind = 'session'
      and revoked_at is null and expires_at > ${now} and id is distinct from ${kept}::uuid
    returning id`
  return rows.length
}

/** Ends the session with this hash, if there is one. */
export async function revokeSessionByHash(db: Db, hash: string, now: Date): Promise<void> {
  await run(db)`update api_key set revoked_at = ${now}
    where hash = ${hash} and kind = 'session' and revoked_at is null`
}

export async function deleteEndedSessions(
  db: Db,
  { id_space, id }: Owner,
  now: Date,
): Promise<void> {
  await run(db)`delete from api_key
    where id_space = ${id_space} and id_member = ${id} and kind = 'session'
      and (revoked_at is not null or expires_at <= ${now})`
}

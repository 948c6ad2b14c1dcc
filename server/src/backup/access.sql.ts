// Ends what a backup must no longer give access to. Someone may have lost access after it was made: their
// session ended, their link used, their key revoked.
import type { ApiKey } from '../access/access.sql.ts'
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, run, sql } from '../db/sql.ts'

/** How many sessions, links and keys of a workspace have ended. */
export interface Ended {
  sessions: number
  links: number
  keys: ApiKey[]
}

/**
 * Removes all sessions and links, and sign-ins that wait for their second step. With `keys` it revokes all API keys and the
 * addresses of calendars as well. `only` are the workspaces that it is about, if it is not about all.
 */
export async function endAccess(
  tx: Db,
  { now, keys, only }: { now: Date; keys: boolean; only?: string[] | undefined },
): Promise<(space: string) => Ended> {
  type Owned = { id_space: string }
  const ours = only === undefined ? sql`true` : sql`id_space = any(${only}::uuid[])`
  const sessions = await run<Owned[]>(tx)`
    ${acrossWorkspaces} delete from api_key where kind = 'session' and ${ours} returning id_space`
  const links = await run<Owned[]>(tx)`
    ${acrossWorkspaces} delete from sign_in_link where ${ours} returning id_space`
  await run(tx)`${acrossWorkspaces} delete from pending_sign_in where ${ours}`
  if (only === undefined) await run(tx)`delete from passkey_challenge`
  if (keys) await run(tx)`${acrossWorkspaces} delete from calendar_token where ${ours}`
  const revoked = !keys
    ? []
    : await run<ApiKey[]>(tx)`${acrossWorkspaces} update api_key set revoked_at = ${now}
        where revoked_at is null and ${ours} and (expires_at is null or expires_at > ${now}) returning *`
  return (space) => {
    const own = <T extends Owned>(rows: readonly T[]) =>
      rows.filter(({ id_space }) => id_space === space)
    return { sessions: own(sessions).length, links: own(links).length, keys: own(revoked) }
  }
}

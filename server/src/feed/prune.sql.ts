// Statements that delete old events.
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'

/** The workspaces that have events. */
export async function selectFeeds(db: Db): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    select id_space from event_head where seq > pruned`
  return rows.map(({ id_space }) => id_space)
}

/**
 * Deletes up to `limit` of the oldest events, as long as they are from before this time. The head says
 * what is gone in the same transaction, so a reader gets 410 and never a gap. A young event keeps those
 * behind it: the clock may once have been wrong. Returns how many events were deleted.
 */
export async function deleteOldest(
  tx: Db,
  space: string,
  before: Date,
  limit: number,
): Promise<number> {
  await run(tx)`select from event_head where id_space = ${space} for update`
  const [found] = await run<[{ last: number | null }]>(tx)`
    select coalesce(min(seq) filter (where at >= ${before}) - 1, max(seq)) as last
    from (select seq, at from event where id_space = ${space} order by seq limit ${limit}) oldest`
  if (found.last === null) return 0
  const deleted = await run(tx)`
    delete from event where id_space = ${space} and seq <= ${found.last} returning seq`
  if (deleted.length === 0) return 0
  await run(tx)`update event_head set pruned = ${found.last} where id_space = ${space}`
  return deleted.length
}

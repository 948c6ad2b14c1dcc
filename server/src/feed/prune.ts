// Deletes old events of the change feed, in small transactions.
import type { Pool } from '../db/driver.ts'
import { deleteOldest, selectFeeds } from './prune.sql.ts'

/** How many events one transaction deletes. Numbering waits for it. */
const batchSize = 1_000

/** Deletes the events from before this time. Stops between two batches when the signal is aborted. */
export async function pruneEvents(db: Pool, before: Date, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (const space of await selectFeeds(db)) {
    let count: number
    do {
      if (signal.aborted) return deleted
      count = await db.begin((tx) => deleteOldest(tx, space, before, batchSize))
      deleted += count
    } while (count === batchSize)
  }
  return deleted
}

// Numbers new events. Several processes may run this on one database: for each workspace one works at a
// time, because it holds the lock of the workspace's head. Nobody else waits for that lock.
import type { Pool } from '../db/driver.ts'
import { advanceHead, lockHead, moveEvents, selectWaiting } from './sequencer.sql.ts'

/** How many events one transaction moves. */
const batchSize = 2_000

/** Numbers all events of these workspaces that are committed. Returns the workspaces that had some. */
export async function sequence(db: Pool, spaces: Iterable<string>): Promise<string[]> {
  const moved: string[] = []
  for (const space of spaces) {
    let count = await sequenceBatch(db, space)
    if (count > 0) moved.push(space)
    while (count === batchSize) count = await sequenceBatch(db, space)
  }
  return moved
}

/** The same for all workspaces: other processes write events too. */
export async function sequenceAll(db: Pool): Promise<string[]> {
  return sequence(db, await selectWaiting(db))
}

function sequenceBatch(db: Pool, space: string): Promise<number> {
  return db.begin(async (tx) => {
    const seq = await lockHead(tx, space)
    if (seq === undefined) return 0
    const count = await moveEvents(tx, space, seq, batchSize)
    if (count > 0) await advanceHead(tx, space, seq + count)
    return count
  })
}

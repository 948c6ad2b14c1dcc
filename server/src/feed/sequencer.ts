// Numbers new events. Several processes may run this on one database: for each workspace one works at a
// time, because it holds the lock of the workspace's head. Nobody else waits for that lock.
import type { Pool } from '../db/driver.ts'
import { channel, insertNotifications, selectTold, takeBack } from './notify.sql.ts'
import { advanceHead, lockHead, moveEvents, notify, selectWaiting } from './sequencer.sql.ts'

/** How many events one transaction moves. */
const batchSize = 2_000

/** The sender of notifications that a workspace has something to send: see outgoing/queue.sql.ts. */
export const queueSender = 'queue'

export interface Sequencer {
  /** Numbers all events of these workspaces that are committed. */
  sequence(spaces: Iterable<string>): Promise<void>
  /** The same for all workspaces: other processes write events too. */
  sequenceAll(): Promise<void>
}

/** `sender` names this process. `onEvents` is called as soon as a workspace has new events. */
export function createSequencer(
  db: Pool,
  sender: string,
  onEvents: (space: string) => void,
): Sequencer {
  async function sequence(spaces: Iterable<string>): Promise<void> {
    for (const space of spaces) {
      let count: number
      do {
        count = await sequenceBatch(space)
        if (count > 0) onEvents(space)
      } while (count === batchSize)
    }
  }

  function sequenceBatch(space: string): Promise<number> {
    return db.begin(async (tx) => {
      const seq = await lockHead(tx, space)
      if (seq === undefined) return 0
      const { count, tells, takesBack } = await moveEvents(tx, space, seq, batchSize)
      if (count > 0) {
        await advanceHead(tx, space, seq + count)
        if (tells) {
          await insertNotifications(tx, space, await selectTold(tx, space, seq, seq + count))
        }
        if (takesBack) await takeBack(tx, space, seq, seq + count)
        // In the transaction: a process that dies right after the commit has told the others.
        await notify(tx, channel, `${sender} ${space}`)
      }
      return count
    })
  }

  return {
    sequence,
    sequenceAll: async () => sequence(await selectWaiting(db)),
  }
}

// Statements about the heads of the change feed: one row for each workspace.
import { randomBytes } from 'node:crypto'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'

export interface Head {
  epoch: string
  /** The number of the newest event. */
  seq: number
  /** The number of the newest event that was deleted for its age. */
  pruned: number
}

const newEpoch = () => randomBytes(4).toString('hex')

export async function insertHead(db: Db, space: string): Promise<void> {
  await run(db)`
    insert into event_head (id_space, epoch, seq, pruned) values (${space}, ${newEpoch()}, 0, 0)`
}

/** After a restore: cursors from before it must not be continued. */
export async function renewEpoch(db: Db, space: string): Promise<void> {
  await run(db)`update event_head set epoch = ${newEpoch()} where id_space = ${space}`
}

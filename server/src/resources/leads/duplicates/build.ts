// Makes the keys of leads that are older than keys, or whose workspace has moved to another country: in the background,
// in short transactions. The next one goes on where the last one ended, whichever process it is in.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Pool, transaction } from '../../../db/driver.ts'
import { buildBatch, selectBuilds } from './build.sql.ts'

/** A change of a lead waits for a batch. */
const batchSize = 2_000
/** When others are changing keys. */
const pauseMs = 20

export async function buildKeys(db: Pool, signal: AbortSignal, size = batchSize): Promise<void> {
  for (const space of await selectBuilds(db)) {
    while (!signal.aborted) {
      const state = await transaction(db, (tx) => buildBatch(tx, space, size))
      if (state === 'done') break
      if (state === 'busy') await sleep(pauseMs)
    }
  }
}

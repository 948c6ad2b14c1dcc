// Makes keys that were not written together with their leads: of imports, of leads that are older than keys, and of those
// whose workspace has moved to another country. In short transactions; the next one goes on where the last one ended,
// whichever process it is in.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Pool, transaction } from '../../../db/driver.ts'
import {
  buildBatch,
  hasDue,
  renewKeyStatistics,
  selectBuilding,
  selectSpacesWithDue,
} from './build.sql.ts'

/** A change of a lead waits for a batch. */
const batchSize = 2_000
/** When others are changing keys. */
const pauseMs = 50
/** After this many leads, the statistics are renewed. */
const manyLeads = 10_000

/** Makes all that are due, a batch of each workspace in turn. */
export async function buildKeys(db: Pool, signal: AbortSignal, size = batchSize): Promise<void> {
  let made = 0
  let spaces = await selectSpacesWithDue(db)
  while (spaces.length > 0) {
    let isBusy = true
    const left: string[] = []
    for (const space of spaces) {
      if (signal.aborted) return
      const leads = await transaction(db, (tx) => buildBatch(tx, space, size))
      if (leads !== 0) left.push(space)
      if (leads === 'busy') continue
      made += leads
      isBusy = false
    }
    if (isBusy) await sleep(pauseMs)
    spaces = left.length > 0 ? left : await selectSpacesWithDue(db)
  }
  await renewStatistics(db, made)
}

interface Patience {
  signal?: AbortSignal | undefined
  /** How long to work on it. */
  forMs?: number
  /** Beside other work: when a batch may be made. */
  inTurn?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
}

/** Those who look at the keys of a workspace first make what is due, within limits. */
export async function finishKeys(
  db: Pool,
  space: string,
  { signal, forMs = Number.POSITIVE_INFINITY, inTurn = (work) => work() }: Patience = {},
): Promise<void> {
  const end = performance.now() + forMs
  let made = 0
  while (!signal?.aborted && performance.now() < end && (await hasDue(db, space))) {
    const leads = await inTurn(() => transaction(db, (tx) => buildBatch(tx, space, batchSize)))
    if (leads === 'busy') await sleep(pauseMs)
    else made += leads
  }
  await renewStatistics(db, made)
}

/** How long a preview may take for keys that it needs. */
export const finishMs = 30_000
/** For how many leads a reader waits for the keys, and how long at most. */
const few = { leads: 10_000, forMs: 2_000 }

/** Makes the keys of a few leads. Returns how far those of many are. */
export async function finishFew(db: Pool, space: string) {
  const building = await selectBuilding(db, space)
  if (!building || building.of - building.done > few.leads) return building
  await finishKeys(db, space, few)
  return selectBuilding(db, space)
}

async function renewStatistics(db: Pool, made: number): Promise<void> {
  // Without it, statements are slower for a while.
  if (made >= manyLeads) await renewKeyStatistics(db).catch(() => {})
}

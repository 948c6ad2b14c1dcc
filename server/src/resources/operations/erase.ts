// Erases leads permanently, by request and by age. The operation is listed, without what was asked for:
// a filter may name a person.
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { type Author, authorOf } from '../../feed/author.ts'
import { planBulk } from '../leads/bulk/plan.ts'
import { pickLeads } from '../leads/change/pick.sql.ts'
import {
  type Erased,
  eraseLeads,
  lockForErasing,
  pickDeletedBefore,
  selectSpacesWithDeleted,
  withMerged,
} from '../leads/erase/erase.sql.ts'
import { findTraces, forgetTraces } from '../leads/erase/traces.ts'
import { changeCount } from '../leads/row/count.sql.ts'
import { PreviewMoved } from './perform.ts'
import type { Wanted } from './preview.ts'
import { beginOperation, endOperation } from './store/operation.sql.ts'

export function erase(
  db: Pool,
  { space, actor, now }: Author,
  { kind, filter, data }: Wanted<'erase'>,
  count: number,
): Promise<{ id: string; erased: number; notes: number; reminders: number }> {
  return transaction(db, async (tx) => {
    const by = await beginOperation(tx, { space, actor, now }, kind, {})
    const plan = await planBulk(tx, by, kind, filter, data, { data: [] })
    await lockForErasing(tx, space)
    const picked = await pickLeads(tx, space, plan.condition, plan.of)
    if (picked.count !== count) throw new PreviewMoved()
    const { leads, notes, reminders } = await eraseEverywhere(tx, by, picked)
    if (plan.of === 'live') await changeCount(tx, space, -count)
    await endOperation(tx, by, { count, changed: leads })
    await audit(tx, by, 'leads.erased', { operation: by.operation.id, leads, notes, reminders })
    return { id: by.operation.id, erased: leads, notes, reminders }
  })
}

async function eraseEverywhere(tx: Db, by: Author, picked: { ids: string }): Promise<Erased> {
  const { ids, count } = await withMerged(tx, by.space, picked.ids)
  const traces = await findTraces(tx, by.space, ids, count)
  const erased = await eraseLeads(tx, by, ids)
  await forgetTraces(tx, by.space, traces)
  return erased
}

const batchSize = 1_000

/** Erases all leads that were deleted before a time. Returns how many. */
export async function eraseDeleted(
  db: Pool,
  before: Date,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  let erased = 0
  for (const space of await selectSpacesWithDeleted(db, before)) {
    const by = authorOf('schedule', space, now)
    let count: number
    do {
      if (signal?.aborted) return erased
      count = await transaction(db, async (tx) => {
        await lockForErasing(tx, space)
        const picked = await pickDeletedBefore(tx, space, before, batchSize)
        if (picked.count > 0) await eraseEverywhere(tx, by, picked)
        return picked.count
      })
      erased += count
    } while (count === batchSize)
  }
  return erased
}

// Erases leads for good, by request and by age. The operation is listed, without what was asked for:
// a filter may name a person.
import { type Pool, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { type Author, authorOf } from '../../feed/author.ts'
import { beginOperation, endOperation } from '../../feed/operation.sql.ts'
import { pickLeads } from '../leads/leads.bulk.sql.ts'
import { changeCount } from '../leads/leads.count.sql.ts'
import {
  eraseLeads,
  lockForErasing,
  pickDeletedBefore,
  selectSpacesWithDeleted,
} from '../leads/leads.erase.sql.ts'
import { planBulk } from '../leads/leads.kinds.ts'
import { CountMoved } from './perform.ts'
import type { Wanted } from './preview.ts'

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
    if (picked.count !== count) throw new CountMoved()
    const { leads, notes, reminders } = await eraseLeads(tx, by, picked.ids)
    if (plan.of === 'live') await changeCount(tx, space, -leads)
    await endOperation(tx, by, { count, changed: leads })
    await audit(tx, by, 'leads.erased', { operation: by.operation.id, leads, notes, reminders })
    return { id: by.operation.id, erased: leads, notes, reminders }
  })
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
        if (picked.count > 0) await eraseLeads(tx, by, picked.ids)
        return picked.count
      })
      erased += count
    } while (count === batchSize)
  }
  return erased
}

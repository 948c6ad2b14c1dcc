// Does an operation: all or nothing, in one transaction. With wait: false the caller gets its response
// first, and the work continues.

import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { messageForLog } from '../../db/error-for-log.ts'
import { jsonb } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { tellFinished } from '../../feed/notify.sql.ts'
import type { Call } from '../../http/handler.ts'
import { applyPlan, pickFor, planBulk } from '../leads/bulk/plan.ts'
import type { MergeGroups } from '../leads/merge/groups.ts'
import { hashOf, type Previewed } from './confirm.ts'
import type { Wanted } from './preview.ts'
import {
  beginOperation,
  changeOperation,
  endOperation,
  failOperation,
  type OperationAuthor,
} from './store/operation.sql.ts'

/** The leads are no longer those of the preview. Nothing was changed. */
export class PreviewMoved extends Error {
  constructor() {
    super('The leads have changed since the preview. Nothing was changed.')
  }
}

type OperationCall = Pick<Call, 'space' | 'actor' | 'now' | 'inBackground'>

/** Returns the id of the operation. */
export function perform(
  db: Pool,
  { space, actor, now }: Author,
  wanted: Wanted,
  seen: Previewed,
): Promise<string> {
  return transaction(db, async (tx) => {
    const by = await beginOperation(tx, { space, actor, now }, wanted.kind, wanted)
    await work(tx, by, wanted, seen)
    return by.operation.id
  })
}

/** Returns how many leads it has changed. */
async function work(tx: Db, by: OperationAuthor, wanted: Wanted, seen: Previewed): Promise<number> {
  const { kind, filter, data } = wanted
  const plan = await planBulk(tx, by, kind, filter, data, { data: ['data'] })
  const picked = await pickFor(tx, by.space, plan)
  if (picked.count !== seen.count) throw new PreviewMoved()
  const found = await plan.merge?.groupsOf(picked.ids)
  if (found && hashOf(found.groups) !== seen.groups) throw new PreviewMoved()
  const changed = await applyPlan(tx, by, plan, { ...picked, groups: found?.groups })
  await endOperation(tx, by, { count: picked.count, changed, ...keptOf(found) })
  return changed
}

/** Leads that stay as they are because their group is too large. */
function keptOf(found: MergeGroups | undefined) {
  const kept = found?.tooLarge.flat().length
  if (!kept) return {}
  return { kept, kept_reasons: jsonb([{ reason: 'too large to be merged at once', leads: kept }]) }
}

const leaseMs = 60_000
const renewMs = 10_000

/** Begins an operation whose work `start` does, after the response. */
export async function beginInBackground(
  db: Pool,
  { space, actor, now, inBackground }: OperationCall,
  wanted: Wanted,
  seen: Previewed,
): Promise<{ id: string; start(): void }> {
  const started = Date.now()
  const leaseUntil = () => new Date(now.getTime() + Date.now() - started + leaseMs)
  const author = { space, actor, now }
  const options = { ...wanted, leaseUntil: leaseUntil() }
  const { operation } = await transaction(db, (tx) =>
    beginOperation(tx, author, wanted.kind, options),
  )
  const finish = async (db: Pool) => {
    // While the work waits for locks, the row of the operation is free.
    const renewal = setInterval(() => {
      const change = { lease_until: leaseUntil().toISOString() }
      changeOperation(db, space, operation.id, change).catch(() => {})
    }, renewMs)
    try {
      await transaction(db, async (tx) => {
        const by = { ...author, operation: { id: operation.id, steps: 0 } }
        await tellFinished(tx, author, operation.id, await work(tx, by, wanted, seen))
      })
    } catch (error) {
      await transaction(db, async (tx) => {
        const hasFailed = await failOperation(tx, space, operation.id, messageForLog(error), now)
        if (hasFailed) await tellFinished(tx, author, operation.id, 0)
      })
      throw error
    } finally {
      clearInterval(renewal)
    }
  }
  return { id: operation.id, start: () => inBackground(finish) }
}

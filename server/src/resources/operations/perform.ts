// Does an operation: all or nothing, in one transaction. With wait: false the caller gets its response
// first, and the work continues.

import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { messageForLog } from '../../db/error-for-log.ts'
import type { Author } from '../../feed/author.ts'
import { tellFinished } from '../../feed/notify.sql.ts'
import type { Call } from '../../http/handler.ts'
import { applyPlan, pickFor, planBulk } from '../leads/bulk/plan.ts'
import type { Wanted } from './preview.ts'
import {
  beginOperation,
  changeOperation,
  endOperation,
  failOperation,
  type OperationAuthor,
} from './store/operation.sql.ts'

/** The number of leads is no longer that of the preview. Nothing was changed. */
export class CountMoved extends Error {
  constructor() {
    super('The number of leads has changed since the preview. Nothing was changed.')
  }
}

type OperationCall = Pick<Call, 'space' | 'actor' | 'now' | 'inBackground'>

/** Returns the id of the operation. */
export function perform(
  db: Pool,
  { space, actor, now }: Author,
  wanted: Wanted,
  count: number,
): Promise<string> {
  return transaction(db, async (tx) => {
    const by = await beginOperation(tx, { space, actor, now }, wanted.kind, wanted)
    await work(tx, by, wanted, count)
    return by.operation.id
  })
}

async function work(tx: Db, by: OperationAuthor, wanted: Wanted, count: number): Promise<void> {
  const { kind, filter, data } = wanted
  const plan = await planBulk(tx, by, kind, filter, data, { data: ['data'] })
  const picked = await pickFor(tx, by.space, plan)
  if (picked.count !== count) throw new CountMoved()
  await endOperation(tx, by, { count, changed: await applyPlan(tx, by, plan, picked) })
}

const leaseMs = 60_000
const renewMs = 10_000

/** Begins an operation whose work `start` does, after the response. */
export async function beginInBackground(
  db: Pool,
  { space, actor, now, inBackground }: OperationCall,
  wanted: Wanted,
  count: number,
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
        await work(tx, { ...author, operation: { id: operation.id, steps: 0 } }, wanted, count)
        await tellFinished(tx, author, operation.id, count)
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

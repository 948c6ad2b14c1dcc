// Work without a lock timeout. A session sets that when it connects (driver.ts), and on a single
// server that is enough. On a distributed database the account has a limit, because session settings do
// not reach the nodes. There each transaction must lift it.
import { isOnCluster } from './distribute.ts'
import { connectAgain, type Db, type Pool } from './driver.ts'

/** Until the transaction ends. PostgreSQL without Citus ignores the first setting. */
const lockLimit = (ms: number) =>
  `set local citus.propagate_set_commands = 'local'; set local lock_timeout = ${ms}`

/** Lifts the limit until the transaction ends. */
export const withoutLockLimit = lockLimit(0)

/** No statement waits longer for a lock until the transaction ends. */
export async function limitLockWaits(tx: Db, ms: number): Promise<void> {
  await tx.unsafe(lockLimit(ms))
}

/** No transaction of this pool has a lock timeout, on any node. */
export function waitingWithoutEnd(pool: Pool): Pool {
  const begin = pool.begin as (...args: unknown[]) => Promise<unknown>
  pool.begin = (async (...args: unknown[]) => {
    if (!(await isOnCluster(pool))) return begin(...args)
    const work = args.pop() as (tx: Db) => Promise<unknown>
    return begin(...args, async (tx: Db) => {
      await tx.unsafe(withoutLockLimit)
      return work(tx)
    })
  }) as Pool['begin']
  return pool
}

/**
 * Opens a second pool on the same database for long work. It has no lock timeout.
 * The caller ends it.
 */
export function openSecondPool(pool: Pool, max = 1, statementTimeoutMs = 0): Pool {
  return waitingWithoutEnd(connectAgain(pool, max, { statementTimeoutMs }))
}

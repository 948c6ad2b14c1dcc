// Work without a limit on the wait for locks. A session says so when it connects (driver.ts), and on one
// server that is all. On a distributed database the account has a limit, because what a session sets does
// not reach the nodes. There each transaction must lift it.
import { isOnCluster } from './distribute.ts'
import { connectAgain, type Db, type Pool } from './driver.ts'

/** Lifts the limit until the transaction ends. PostgreSQL without Citus ignores the first setting. */
export const withoutLockLimit = `set local citus.propagate_set_commands = 'local'; set local lock_timeout = 0`

/** No transaction of this pool has a limit on the wait for locks, on no node. */
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
 * Opens a second pool on the same database, for work that takes long. It has no limit on the wait for
 * locks. The caller ends it.
 */
export function openSecondPool(pool: Pool, max = 1, statementTimeoutMs = 0): Pool {
  return waitingWithoutEnd(connectAgain(pool, max, { statementTimeoutMs }))
}

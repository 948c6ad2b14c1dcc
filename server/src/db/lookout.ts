// Looks at all workspaces, again and again: for events without a number, for reminders that are due. On
// one server such a look costs little. On a distributed database it asks every shard. There one process
// at a time looks for all processes, and less often.
import { isOnCluster } from './distribute.ts'
import type { Pool } from './driver.ts'
import { run, sql } from './sql.ts'

/** The advisory lock of the process that looks. */
const lookoutLock = 7_245_320
/** The pause between two looks for the same thing on a distributed database. */
const pauseMs = 5_000

export interface Lookout {
  /** Whether this process is to look now. `what` says for what; each has its own pause. */
  isToLook(what: string): Promise<boolean>
}

/** The session holds the lock, so it must be a pool of one connection. */
export function createLookout(
  session: Pool,
  clock: () => number = () => performance.now(),
): Lookout {
  const looked = new Map<string, number>()

  return {
    async isToLook(what) {
      if (!(await isOnCluster(session))) return true
      const now = clock()
      if (now - (looked.get(what) ?? Number.NEGATIVE_INFINITY) < pauseMs) return false
      looked.set(what, now)
      // Also true when this session has the lock already. It is free again when its holder dies.
      const [row] = await run<[{ held: boolean }]>(
        session,
        sql`select pg_try_advisory_lock(${lookoutLock}) as held`,
      )
      return row.held
    },
  }
}

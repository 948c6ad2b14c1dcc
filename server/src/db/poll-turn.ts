// Polls all workspaces for events without a number and for due reminders. On
// one server this is cheap. On a distributed database it queries every shard, so there one process
// at a time polls for all processes, and less often.
import { isOnCluster } from './distribute.ts'
import type { Pool } from './driver.ts'
import { run } from './sql.ts'

/** The advisory lock of the process that polls. */
const pollLock = 7_245_320
/** The pause between two polls for the same thing on a distributed database. */
const pauseMs = 5_000

export interface PollTurn {
  /** Whether this process should poll now. `what` says for what; each has its own pause. */
  isOurs(what: string): Promise<boolean>
}

/** The session holds the lock, so it must be a pool of one connection. */
export function createPollTurn(
  session: Pool,
  clock: () => number = () => performance.now(),
): PollTurn {
  const looked = new Map<string, number>()

  return {
    async isOurs(what) {
      if (!(await isOnCluster(session))) return true
      const now = clock()
      if (now - (looked.get(what) ?? Number.NEGATIVE_INFINITY) < pauseMs) return false
      looked.set(what, now)
      // Also true if this session already has the lock. It is released when its holder dies.
      const [row] = await run<[{ held: boolean }]>(session)`
        select pg_try_advisory_lock(${pollLock}) as held`
      return row.held
    },
  }
}

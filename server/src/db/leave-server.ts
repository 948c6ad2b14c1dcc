// After a failover, connections to the former primary server remain, and every write on them fails.
import type { Pool } from './driver.ts'
import { run } from './sql.ts'

/** Of many failed writes, one ends the connections. */
const pauseMs = 1_000

/** Returns what ends all connections of this service's account, so that the pools find the new primary server. */
export function createLeaving(db: Pool): () => void {
  let notBefore = 0
  return () => {
    if (performance.now() < notBefore) return
    notBefore = performance.now() + pauseMs
    // It ends its own connection too, and so fails.
    run(db)`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user
        and application_name = current_setting('application_name')
      order by pid = pg_backend_pid()`.catch(() => {})
  }
}

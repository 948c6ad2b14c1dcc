import type { Db } from './driver.ts'
import { run } from './sql.ts'

/**
 * Turns foreign keys off for this transaction, both checks and cascades, for work that keeps
 * the references right itself. Returns false if the account lacks the right; then they stay on.
 */
export async function trustReferences(tx: Db): Promise<boolean> {
  const rows = await run(tx)`
    select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege('session_replication_role', 'SET')`
  return rows.length > 0
}

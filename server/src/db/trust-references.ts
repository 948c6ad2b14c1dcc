import type { Db } from './driver.ts'
import { run, sql } from './sql.ts'

/**
 * Switches foreign keys off for this transaction: their checks and their cascades. For work that keeps
 * the references right by itself. Returns false where the account has no right to it; then they stay on.
 */
export async function trustReferences(tx: Db): Promise<boolean> {
  const rows = await run(
    tx,
    sql`
    select set_config('session_replication_role', 'replica', true)
    where has_parameter_privilege('session_replication_role', 'SET')`,
  )
  return rows.length > 0
}

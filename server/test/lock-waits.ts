import { expect, vi } from 'vitest'
import type { Db } from '../src/db/driver.ts'
import { run, sql } from '../src/db/sql.ts'

/** Waits until this many statements of the database, of those that contain the text, wait for a lock. */
export async function expectLockWaits(db: Db, count: number, text = ''): Promise<void> {
  const check = async () => {
    const waiting = await run(
      db,
      sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and position(${text} in query) > 0`,
    )
    expect(waiting).toHaveLength(count)
  }
  await vi.waitFor(check, { timeout: 10_000, interval: 10 })
}

import { expect } from 'vitest'
import { selectCitus } from '../src/db/distribute.sql.ts'
import type { Db } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'

/** Waits until this many statements of the database, of those that contain the text, wait for a lock. */
export async function expectLockWaits(db: Db, count: number, text = ''): Promise<void> {
  await expect.poll(() => selectWaiting(db, text), { interval: 10 }).toHaveLength(count)
}

/** The sessions with such a statement. */
export async function selectWaiting(db: Db, text = ''): Promise<number[]> {
  const rows = await run<{ pid: number }[]>(db)`select pid from pg_stat_activity
      where datname = current_database() and position(${text} in query) > 0
        and (wait_event_type = 'Lock' or pid = any(${await waitingOnWorkers(db)}::int[]))`
  return rows.map(({ pid }) => pid)
}

/**
 * The sessions here whose statement waits for a lock on a worker of the cluster. There the name of the
 * session tells ours: the last ten digits are its process id.
 */
async function waitingOnWorkers(db: Db): Promise<number[]> {
  if ((await selectCitus(db)) === undefined) return []
  const rows = await run<{ pid: number }[]>(db)`select right(found[1], 10)::bigint::int as pid
      from run_command_on_workers($$
        select string_agg(application_name, ' ') from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'$$),
        regexp_matches(result, 'gpid=(\\d+)', 'g') as found`
  return rows.map(({ pid }) => pid)
}

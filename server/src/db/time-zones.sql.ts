// Time zones that both the program and the database know.
import { isTimeZone } from '../time-zone.ts'
import type { Db } from './driver.ts'
import { run } from './sql.ts'

/**
 * Which of these names are time zones that a workspace can have. Reminders are computed by Node, charts and
 * filters by PostgreSQL, and each brings its own list: Node takes AET, PostgreSQL does not; PostgreSQL takes
 * posix/UTC, Node does not.
 */
export async function selectTimeZones(db: Db, names: readonly string[]): Promise<Set<string>> {
  const candidates = [...new Set(names)].filter(isTimeZone)
  if (candidates.length === 0) return new Set()
  const rows = await run<{ name: string }[]>(db)`
    select wanted as name from unnest(${candidates}::text[]) as wanted
    where lower(wanted) in (select lower(name) from pg_timezone_names)`
  return new Set(rows.map(({ name }) => name))
}

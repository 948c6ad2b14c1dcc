// How far the work behind the requests has come.
import type { Pool } from '../db/driver.ts'
import { acrossWorkspaces, run, type Sql, sql } from '../db/sql.ts'
import { selectDue } from '../resources/reminders/reminders.firing.sql.ts'

export interface BackgroundWork {
  /** Age of the oldest change that is not in the change feed yet, in seconds. */
  feedDelay: number
  /** How late the oldest due reminder is, in seconds. */
  reminderDelay: number
  unfinishedImports: number
}

export async function readBackgroundWork(db: Pool, now: Date): Promise<BackgroundWork> {
  const age = (then: string | null | undefined) =>
    then ? Math.max(0, (now.getTime() - Date.parse(then)) / 1000) : 0
  const one = async <T>(statement: Sql) => (await run<{ one: T }[]>(db, statement))[0]?.one
  // One by one: on a cluster, a statement cannot ask several tables of all workspaces.
  const waiting = await one<string | null>(
    sql`${acrossWorkspaces} select min(written_at) as one from event_new`,
  )
  const [due] = await selectDue(db, now, undefined, 1)
  const imports = await one<number>(
    sql`${acrossWorkspaces} select count(*)::int as one from import_progress
      where finished_at is null`,
  )
  return {
    feedDelay: age(waiting),
    reminderDelay: age(due?.date),
    unfinishedImports: imports ?? 0,
  }
}

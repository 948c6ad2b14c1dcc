// The metrics of what is stored: how far the work behind the requests has come, and how old the last backup is.
import { lastBackup } from './backup/folder.ts'
import type { Config } from './config.ts'
import type { Pool } from './db/driver.ts'
import { acrossWorkspaces, run, type Sql, sql } from './db/sql.ts'
import { gauge, type Metric } from './http/metrics.ts'
import { selectDue } from './resources/reminders/reminders.firing.sql.ts'

/** Monitoring asks every few seconds, and perhaps several times over. */
const keptMs = 10_000

export function storedMetrics(
  db: Pool,
  clock: () => Date,
  { backupEvery, backupDir }: Pick<Config, 'backupEvery' | 'backupDir'>,
): () => Promise<Metric[]> {
  let kept: { at: number; metrics: Promise<Metric[]> } | undefined
  const read = async () => {
    const now = clock()
    const age = (then: Date | string | null | undefined) =>
      then ? Math.max(0, (now.getTime() - new Date(then).getTime()) / 1000) : 0
    const one = async <T>(statement: Sql) => (await run<{ one: T }[]>(db, statement))[0]?.one
    // One by one: on a cluster, a statement cannot ask several tables of all workspaces.
    const bytes = await one<number>(sql`select pg_database_size(current_database())::float8 as one`)
    const waiting = await one<string | null>(
      sql`${acrossWorkspaces} select min(written_at) as one from event_new`,
    )
    const [due] = await selectDue(db, now, undefined, 1)
    const imports = await one<number>(
      sql`${acrossWorkspaces} select count(*)::int as one from import_progress
        where finished_at is null`,
    )
    const backup = await lastBackup(backupDir, now)
    return [
      gauge('database_bytes', 'Size of the database.', bytes),
      gauge('feed_delay_seconds', 'Age of the oldest change not in the feed yet.', age(waiting)),
      gauge('reminder_delay_seconds', 'How late the oldest due reminder is.', age(due?.date)),
      gauge('imports_unfinished', 'Imports that are running, or can be continued.', imports),
      gauge('backup_interval_seconds', 'BACKUP_EVERY.', backupEvery && backupEvery / 1000),
      gauge('backup_age_seconds', 'Age of the last scheduled backup.', backup && age(backup)),
    ]
  }
  return () => {
    const at = clock().getTime()
    if (!kept || at - kept.at > keptMs) kept = { at, metrics: read() }
    const { metrics } = kept
    // What failed is asked again.
    metrics.catch(() => {
      kept = undefined
    })
    return metrics
  }
}

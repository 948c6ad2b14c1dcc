// The metrics of what is stored: how far the work behind the requests has come, and how old the last backup is.
import { lastBackup } from './backup/folder.ts'
import type { Config } from './config.ts'
import type { Pool } from './db/driver.ts'
import { gauge, type Metric } from './http/metrics.ts'
import { readBackgroundWork } from './system/stored.ts'
import { selectDatabaseFacts } from './system/system.sql.ts'

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
    const { bytes } = await selectDatabaseFacts(db)
    const { feedDelay, reminderDelay, unfinishedImports } = await readBackgroundWork(db, now)
    const backup = await lastBackup(backupDir, now)
    const backupAge = backup && (now.getTime() - backup.getTime()) / 1000
    return [
      gauge('database_bytes', 'Size of the database.', bytes),
      gauge('feed_delay_seconds', 'Age of the oldest change not in the feed yet.', feedDelay),
      gauge('reminder_delay_seconds', 'How late the oldest due reminder is.', reminderDelay),
      gauge(
        'imports_unfinished',
        'Imports that are running, or can be continued.',
        unfinishedImports,
      ),
      gauge('backup_interval_seconds', 'BACKUP_EVERY.', backupEvery && backupEvery / 1000),
      gauge('backup_age_seconds', 'Age of the last scheduled backup.', backupAge),
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

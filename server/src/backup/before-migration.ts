// Backs up the data in the bundled PostgreSQL before a migration changes its schema: Rapport manages this database.
// On the user's own server (DATABASE_URL), backups are the user's responsibility.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { logIfSlow } from '../db/log-if-slow.ts'
import { type Migration, migrate } from '../db/migrate.ts'
import { makeFolder } from '../make-folder.ts'
import { backUpToFile } from './file.ts'
import { nameBefore } from './folder.ts'
import { BackupError } from './format.ts'
import { findFilled, selectTables } from './tables.sql.ts'

type Settings = Pick<Config, 'databaseUrl' | 'backupDir'> & Partial<Pick<Config, 'backupKey'>>

/** Like `migrate`, but backs up existing data in the bundled PostgreSQL before the first migration. */
export function migrateSafely(
  pool: Pool,
  config: Settings,
  log: (line: string) => void,
  once?: () => Promise<void>,
  migrations?: Migration[],
): Promise<number> {
  const before = async (next: Migration) => {
    if (config.databaseUrl === undefined) await backUpBefore(pool, next, config, log)
  }
  return migrate(pool, once, migrations, before, log)
}

async function backUpBefore(
  pool: Pool,
  next: Migration,
  { backupDir: folder, backupKey: key }: Settings,
  log: (line: string) => void,
): Promise<void> {
  if ((await findFilled(pool, await selectTables(pool))) === undefined) return
  const file = join(folder, nameBefore(next.name.replace(/\.sql$/, '')))
  try {
    await makeFolder(folder, 0o700)
    const backingUp = () => `Backing up to ${file} before migrating…`
    const options = { now: new Date(), force: true, key }
    await logIfSlow(log, backingUp, backUpToFile(pool, file, options))
  } catch (error) {
    throw new BackupError(
      `The database must be migrated, but the backup before it failed: ${(error as Error).message}. Nothing was changed. To use another folder, set BACKUP_DIR.`,
      { cause: error },
    )
  }
  log(`Backed up to ${file} before migrating`)
}

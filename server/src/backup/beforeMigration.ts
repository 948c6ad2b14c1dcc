// The database in the box is nobody else's to look after: before its schema changes, its data is put
// aside. A server of the user's has the user's own backups.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Pool } from '../db/connect.ts'
import { type Migration, migrate } from '../db/migrate.ts'
import { sayIfSlow } from '../db/say-if-slow.ts'
import { makeFolder } from '../make-folder.ts'
import { backUpToFile } from './file.ts'
import { BackupError } from './format.ts'
import { findFilled, selectTables } from './tables.sql.ts'

type Settings = Pick<Config, 'databaseUrl' | 'backupDir'>

/** Brings the schema up to date, as `migrate` does, with a backup of existing data before. */
export function migrateSafely(
  pool: Pool,
  config: Settings,
  log: (line: string) => void,
  once?: (pool: Pool) => Promise<void>,
  migrations?: Migration[],
): Promise<number> {
  const before = async (next: Migration) => {
    if (config.databaseUrl === undefined) await backUpBefore(pool, next, config.backupDir, log)
  }
  return migrate(pool, once, migrations, before, log)
}

async function backUpBefore(
  pool: Pool,
  next: Migration,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  if ((await findFilled(pool, await selectTables(pool))) === undefined) return
  // One name for each migration, not for each try: one that fails and is tried for ever does not
  // fill the disk. It has no time in it, so it is not taken for one of the running server's either.
  const file = join(folder, `rapport-before-${next.name.replace(/\.sql$/, '')}.backup`)
  try {
    await makeFolder(folder, 0o700)
    const backingUp = () => `Backing up the data to ${file} before migrating …`
    const options = { now: new Date(), force: true }
    await sayIfSlow(log, backingUp, backUpToFile(pool, file, options))
  } catch (error) {
    throw new BackupError(
      `The data must be migrated, but the backup before that failed: ${(error as Error).message}. Nothing was changed; BACKUP_DIR can name another folder.`,
      { cause: error },
    )
  }
  log(`Before migrating, the data was backed up to ${file}`)
}

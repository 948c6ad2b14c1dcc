// What a program tells whose database was migrated by a newer release: which backup leads back.
import { join } from 'node:path'
import { lastBefore } from '../backup/folder.ts'
import type { Config } from '../config.ts'
import { MigrationError, NewerSchema } from '../db/migrate.ts'
import { commandOn } from './next-command.ts'

/** Does work that fails on a newer schema. The error then names the way back. */
export async function namingWayBack<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NewerSchema)) throw error
    throw new MigrationError(`${error.message} ${await wayBack(config, error.known)}`)
  }
}

/** `known`: how many migrations this program has. */
export async function wayBack(config: Config, known: number): Promise<string> {
  const { databaseUrl, backupDir, dataDir } = config
  const lost = 'To go back to this release and discard all changes since, restore'
  if (databaseUrl !== undefined) return `${lost} your own backup from before the migration.`
  const name = await lastBefore(backupDir, known)
  if (name === undefined) {
    return `${lost} a backup from before the migration. There is none in ${backupDir}.`
  }
  const restore = commandOn({ DATA_DIR: `${dataDir}-restored` }, 'restore', join(backupDir, name))
  return `${lost} the backup that was made before the migration: ${restore}`
}

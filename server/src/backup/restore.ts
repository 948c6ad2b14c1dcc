// Restores a backup into an empty database, or single workspaces of it next to others. Schema, rows and the migrations
// that are newer than the backup are one transaction: if anything fails, all of it is rolled back.

import { selectSpaces } from '../access/access.sql.ts'
import { aboutKey } from '../access/issue-key.ts'
import { type Db, isUnavailable, type Pool, sqlState } from '../db/driver.ts'
import { messageForLog } from '../db/error-for-log.ts'
import {
  applyMigration,
  checkSchema,
  type Migration,
  readMigrations,
  readSchema,
  underStartLock,
} from '../db/migrate.ts'
import { run } from '../db/sql.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { renewEpoch } from '../feed/head.sql.ts'
import { pauseMail } from '../mail/mail.sql.ts'
import { dequeueAll } from '../outgoing/queue.sql.ts'
import { forgetMails } from '../resources/notifications/notifications.sql.ts'
import { pauseWebhooks } from '../resources/webhooks/webhooks.sql.ts'
import { endAccess } from './access.sql.ts'
import { createConstraints, dropConstraints } from './constraints.sql.ts'
import { copyIn as copyRowsIn } from './copy.ts'
import {
  BackupError,
  type BackupSpace,
  copyIn,
  countLines,
  countRows,
  type Header,
  NotEmpty,
} from './format.ts'
import { type BackupKey, keyReader } from './keys.ts'
import { linesOf, moves } from './one-space.ts'
import { type Backup, readBackup, type UseTable } from './read.ts'
import {
  findFilled,
  lockTables,
  selectSpaceNames,
  selectTables,
  tableExists,
  useOwnSettings,
} from './tables.sql.ts'

/** A file that was read from the first byte to the last. */
export interface CheckedBackup extends Backup {
  /** The API keys that work after a restore. */
  keys: BackupKey[]
  spaces: BackupSpace[]
}

export interface RestoreOptions {
  onProgress?: (rows: number, total: number) => void
  signal?: AbortSignal
  log?: (line: string) => void
  migrations?: Migration[]
  /** The key that the file is encrypted with. */
  key?: string | undefined
  /** Revokes all API keys of the backup. */
  revokeKeys?: boolean
  /** The only workspaces to restore. The database may have others. */
  spaces?: BackupSpace[] | undefined
}

/** Reads and checks the whole file, and writes nothing. Returns what the file contains. */
export async function checkBackup(
  file: string,
  { onProgress, signal, key }: Pick<RestoreOptions, 'onProgress' | 'signal' | 'key'> = {},
): Promise<CheckedBackup> {
  let done = 0
  const reader = keyReader()
  const look: UseTable = async (table, rows, { tables }) => {
    for await (const piece of rows) {
      signal?.throwIfAborted()
      if (reader.wants(table)) reader.take(table, piece)
      done += countLines(piece)
      onProgress?.(done, countRows(tables))
    }
  }
  const backup = await readBackup(file, look, key)
  return { ...backup, keys: reader.keys(new Date()), spaces: reader.spaces() }
}

/** `checked` is the result of checkBackup for the same file. */
export async function restoreBackup(
  pool: Pool,
  file: string,
  checked: Backup,
  {
    onProgress,
    signal,
    log,
    migrations = readMigrations(),
    revokeKeys = false,
    key,
    spaces,
  }: RestoreOptions = {},
): Promise<void> {
  const { header } = checked
  requireKnownSchema(header, migrations)
  const total = countRows(header.tables)
  const ids = spaces?.map(({ id }) => id)
  try {
    await underStartLock(pool, { log, signal }, () =>
      pool.begin(async (tx) => {
        await useOwnSettings(tx)
        const isEmpty = await prepare(tx, header, migrations, spaces)
        const names = header.tables.map(({ name }) => name)
        const dropped = isEmpty ? await dropConstraints(tx, names) : []
        let done = 0
        const load: UseTable = async (table, rows) => {
          const all = counted(rows)
          if (!ids) return copyRowsIn(tx, copyIn(table), all)
          const own = linesOf(ids, table, all)
          if (moves(table)) return copyRowsIn(tx, copyIn(table), own)
          for await (const _ of own);
        }
        const { sha256 } = await readBackup(file, load, key)
        if (sha256 !== checked.sha256) {
          throw new BackupError(`${file} changed during the restore. Nothing was restored.`)
        }
        await createConstraints(tx, dropped)
        for (const next of migrations.slice(header.migrations.length)) {
          await applyMigration(tx, next, log)
        }
        await sayRestored(tx, header, revokeKeys, ids)
        await run(tx)`analyze`

        async function* counted(rows: AsyncIterable<Buffer>) {
          for await (const piece of rows) {
            signal?.throwIfAborted()
            yield piece
            done += countLines(piece)
            onProgress?.(done, total)
          }
        }
      }),
    )
  } catch (error) {
    if (sqlState(error) === undefined || isUnavailable(error)) throw error
    throw new BackupError(`The restore failed and was rolled back: ${messageForLog(error)}`, {
      cause: error,
    })
  }
}

const restoredMail = 'It was waiting in a backup, and may have been sent since'

/**
 * Earlier cursors of the change feed must not be continued: after the backup, the same numbers may
 * have been given to other events. Nor must sessions and links: they may have ended since.
 */
async function sayRestored(
  tx: Db,
  header: Header,
  revokeKeys: boolean,
  only: string[] | undefined,
): Promise<void> {
  const { created_at, program } = header
  const now = new Date()
  const endedOf = await endAccess(tx, { now, keys: revokeKeys, only })
  const isRestored = ({ id_space }: { id_space: string }) => only?.includes(id_space) ?? true
  for (const { id_space } of (await selectSpaces(tx)).filter(isRestored)) {
    await renewEpoch(tx, id_space)
    // The events that the backup has yet to send may have been sent since.
    await pauseWebhooks(tx, id_space)
    await pauseMail(tx, id_space, restoredMail)
    await forgetMails(tx, id_space)
    await dequeueAll(tx, id_space)
    const { sessions, links, keys } = endedOf(id_space)
    const about = {
      ...{ made_at: created_at, made_by: `Rapport ${program}` },
      ...{ ended_sessions: sessions, ended_links: links, revoked_keys: keys.length },
    }
    const by = authorOf('command', id_space, now)
    await audit(tx, by, 'backup.restored', about)
    for (const key of keys) await audit(tx, by, 'key.revoked', aboutKey(key))
  }
}

function requireKnownSchema({ migrations: theirs, program }: Header, ours: Migration[]): void {
  theirs.forEach(({ name, checksum }, index) => {
    const mine = ours[index]
    if (!mine) {
      throw new BackupError(
        `The backup is newer than this program. Rapport ${program} made it with migration ${name}, but the last migration of this program is ${ours.at(-1)?.name}. Restore it with that release or a newer one.`,
      )
    }
    if (mine.checksum !== checksum) {
      throw new BackupError(
        `Migration ${name} of the backup differs from ${mine.name} of this program. Restore the backup with the release that made it (${program}).`,
      )
    }
  })
}

/**
 * Creates the schema of the backup's release, locks its tables and checks that they are empty. Chosen workspaces may
 * also be added to others, in the same schema. Returns whether the database was empty.
 */
async function prepare(
  tx: Db,
  header: Header,
  migrations: Migration[],
  chosen: BackupSpace[] | undefined,
): Promise<boolean> {
  const present = (await tableExists(tx, 'space')) ? await selectSpaceNames(tx) : []
  if (chosen && present.length > 0) {
    await requirePlace(tx, header, migrations, chosen, present)
    return false
  }
  if (present.length > 0) throw notEmpty('space')
  const version = header.migrations.length
  const found = await checkSchema(tx, migrations)
  if (found > version) {
    throw new BackupError(
      `The backup is older (${header.migrations.at(-1)?.name}) than the schema of this database (${migrations[found - 1]?.name}). ${elsewhere}`,
    )
  }
  for (const migration of migrations.slice(found, version)) await applyMigration(tx, migration)

  const known = new Set((await selectTables(tx)).map(({ name }) => name))
  const unknown = header.tables.find(({ name }) => !known.has(name))
  if (unknown) {
    throw new BackupError(
      `The backup has a table ${unknown.name} that Rapport does not create. Create it in this database, then restore again.`,
    )
  }
  await lockTables(tx, header.tables, 'access exclusive')
  const filled = await findFilled(tx, header.tables)
  if (filled !== undefined) throw notEmpty(filled)
  return true
}

/** None of the workspaces is here yet, and the tables are those of the backup. */
async function requirePlace(
  tx: Db,
  header: Header,
  migrations: Migration[],
  chosen: BackupSpace[],
  present: BackupSpace[],
): Promise<void> {
  const known = chosen.find((one) => present.some(({ id }) => id === one.id))
  if (known) {
    throw new BackupError(
      `The workspace "${known.name}" (${known.id}) is already in this database, and a restore never overwrites anything. To replace it, remove it first: spaces remove --space ${known.id}`,
    )
  }
  const found = await readSchema(tx, migrations)
  const theirs = header.migrations.length
  if (found === theirs && theirs === migrations.length) return
  throw new BackupError(
    theirs < found
      ? `The backup is older (${header.migrations.at(-1)?.name}) than the schema of this database (${migrations[found - 1]?.name}). Restore it into a new, empty database, which migrates it, and back up the workspace from there.`
      : `The schema of this database (${migrations[found - 1]?.name}) is older than this program (${migrations.at(-1)?.name}). Start this release once, or run: migrate`,
  )
}

const elsewhere =
  'Restore into a new, empty database: set DATA_DIR to a new folder, or DATABASE_URL to a new database.'

function notEmpty(filled: string): NotEmpty {
  const what = filled === 'space' ? 'a workspace' : `rows in ${filled}`
  return new NotEmpty(
    `This database already has ${what}, and a restore never overwrites anything. ${elsewhere}`,
  )
}

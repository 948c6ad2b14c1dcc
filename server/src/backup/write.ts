// Writes a backup: one snapshot of the whole database or of a workspace, while other connections keep writing.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Db, isUnavailable, type Pool, sqlState } from '../db/driver.ts'
import { openSecondPool } from '../db/lock-limit.ts'
import { run } from '../db/sql.ts'
import { version } from '../version.ts'
import { copyOut as copyRowsOut } from './copy.ts'
import { encryption } from './encrypt.ts'
import {
  BackupError,
  copyOut,
  countLines,
  countRows,
  endOfRows,
  formatVersion,
  type Header,
  headerLine,
  type Table,
  tableLine,
  trailerLine,
} from './format.ts'
import { moves, ownRows } from './one-space.ts'
import {
  countTables,
  lockTables,
  selectMigrations,
  selectTables,
  tableExists,
  useOwnSettings,
} from './tables.sql.ts'

export interface WriteOptions {
  now: Date
  /** Encrypts the backup. */
  key?: string | undefined
  /** The id of the only workspace to write. */
  space?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((rows: number, total: number) => void) | undefined
}

export async function writeBackup(
  pool: Pool,
  sink: Writable,
  options: WriteOptions,
): Promise<Header> {
  // Not from the pool: the service needs those connections, and we must be able to cancel this one.
  const connection = openSecondPool(pool)
  try {
    if (!(await tableExists(connection, 'schema_migration'))) {
      throw new BackupError('Nothing to back up: this database has no Rapport tables.')
    }
    const known = await selectTables(connection)
    return (await connection.begin('isolation level repeatable read read only', async (tx) => {
      await useOwnSettings(tx)
      // Lock the tables before the snapshot, which the first query takes. If a migration rewrote a
      // table after the snapshot and before the lock, the table would look empty in the snapshot.
      await lockTables(tx, known, 'access share')
      const tables = await selectTables(tx)
      if (tables.map(({ name }) => name).join() !== known.map(({ name }) => name).join()) {
        throw new BackupError(
          'A migration ran while the backup was starting. Start the backup again.',
        )
      }
      const header = await describe(tx, tables, options)
      await writeContent(tx, pool, header, sink, options)
      return header
    })) as Header
  } catch (error) {
    if (sqlState(error) === undefined || isUnavailable(error)) throw error
    throw new BackupError(`The backup failed: ${(error as Error).message}`, { cause: error })
  } finally {
    await connection.end({ timeout: 5 })
  }
}

async function describe(tx: Db, tables: Table[], { now, space }: WriteOptions): Promise<Header> {
  return {
    format: formatVersion,
    program: version,
    created_at: now.toISOString(),
    migrations: await selectMigrations(tx),
    tables: space
      ? await countTables(tx, tables.filter(moves), (table) => ownRows(table, space))
      : await countTables(tx, tables),
  }
}

async function writeContent(
  tx: Db,
  pool: Pool,
  header: Header,
  sink: Writable,
  { key, space, signal, onProgress }: WriteOptions,
): Promise<void> {
  const [session] = await run<{ pid: number }[]>(tx)`select pg_backend_pid() as pid`
  const breakOff = async () => run(pool)`select pg_cancel_backend(${session?.pid ?? 0}::int)`
  const total = countRows(header.tables)
  const hash = createHash('sha256')
  const output = gzipInto(sink, key)
  const write = async (piece: Buffer | string) => {
    signal?.throwIfAborted()
    hash.update(piece)
    await output.write(piece)
  }
  try {
    await write(headerLine(header))
    let done = 0
    for (const table of header.tables) {
      await write(tableLine(table))
      const before = done
      const writeRows = async (piece: Buffer) => {
        await write(piece)
        done += countLines(piece)
        onProgress?.(done, total)
      }
      const where = space && ownRows(table, space)
      await copyRowsOut(tx, copyOut(table, where), writeRows, breakOff)
      if (done - before !== table.rows) {
        throw new BackupError(
          `The backup failed: ${table.name} had ${table.rows} rows at the start, but ${done - before} were read.`,
        )
      }
      await write(endOfRows)
    }
    await output.write(trailerLine({ sha256: hash.digest('hex') }))
    await output.end()
  } catch (error) {
    output.destroy()
    throw error
  }
}

function gzipInto(sink: Writable, key: string | undefined) {
  // Higher levels take three times as long, and the file is only a tenth smaller.
  const gzip = createGzip({ level: 3, chunkSize: 64 * 1024 })
  const done = key ? pipeline(gzip, encryption(key), sink) : pipeline(gzip, sink)
  // The next write() or end() awaits `done` and throws the error. This only prevents an unhandled
  // rejection.
  done.catch(() => {})
  return {
    async write(piece: Buffer | string): Promise<void> {
      if (gzip.destroyed) await done
      if (!gzip.write(piece)) await once(gzip, 'drain')
    },
    async end(): Promise<void> {
      gzip.end()
      await done
    },
    destroy(): void {
      gzip.destroy()
    },
  }
}

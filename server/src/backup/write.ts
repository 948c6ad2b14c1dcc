// Writes a backup: one snapshot of everything, while others go on writing.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { connectBeside, type Db, isUnavailable, type Pool, sqlState } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import { version } from '../version.ts'
import { copyOut as copyRowsOut } from './copy.ts'
import {
  BackupError,
  copyOut,
  countLines,
  countRows,
  endOfRows,
  formatVersion,
  type Header,
  headerLine,
  tableLine,
  trailerLine,
} from './format.ts'
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
  signal?: AbortSignal | undefined
  onProgress?: ((rows: number, total: number) => void) | undefined
}

export async function writeBackup(
  pool: Pool,
  sink: Writable,
  options: WriteOptions,
): Promise<Header> {
  // Not one of the pool's: the service needs those, and this one may have to be broken off.
  const connection = connectBeside(pool)
  try {
    if (!(await tableExists(connection, 'schema_migration'))) {
      throw new BackupError('There is nothing to back up: this database has no tables of Rapport.')
    }
    const known = await selectTables(connection)
    return (await connection.begin('isolation level repeatable read read only', async (tx) => {
      await useOwnSettings(tx)
      // Before the snapshot, which the first query takes: a table that a migration rewrites
      // between the two would look empty in it.
      await lockTables(tx, known, 'access share')
      const header = await describe(tx, options.now)
      if (header.tables.map(({ name }) => name).join() !== known.map(({ name }) => name).join()) {
        throw new BackupError('A migration ran just when the backup began: start it again.')
      }
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

async function describe(tx: Db, now: Date): Promise<Header> {
  return {
    format: formatVersion,
    program: version,
    created_at: now.toISOString(),
    migrations: await selectMigrations(tx),
    tables: await countTables(tx, await selectTables(tx)),
  }
}

async function writeContent(
  tx: Db,
  pool: Pool,
  header: Header,
  sink: Writable,
  { signal, onProgress }: WriteOptions,
): Promise<void> {
  const [session] = await run<{ pid: number }[]>(tx, sql`select pg_backend_pid() as pid`)
  const breakOff = async () => run(pool, sql`select pg_cancel_backend(${session?.pid ?? 0})`)
  const total = countRows(header.tables)
  const hash = createHash('sha256')
  const output = gzipInto(sink)
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
      await copyRowsOut(tx, copyOut(table), writeRows, breakOff)
      if (done - before !== table.rows) {
        throw new BackupError(
          `The backup failed: ${table.name} changed from ${table.rows} to ${done - before} rows meanwhile.`,
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

function gzipInto(sink: Writable) {
  // Higher levels take three times as long for a file that is a tenth smaller.
  const gzip = createGzip({ level: 3, chunkSize: 64 * 1024 })
  const done = pipeline(gzip, sink)
  // A failure is met by whoever writes next.
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

// A full disk: a small file system of its own, which only root can mount.

import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isUnavailable } from '../src/db/driver.ts'
import { run as query, sql } from '../src/db/sql.ts'
import type { Random } from '../src/random.ts'
import { Client } from './client.ts'
import { endPostgres, inspect } from './inspect.ts'
import { compare } from './ledger.ts'
import { checkPool } from './pool.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { Breach, type Figures, type Size } from './torture.ts'
import { until } from './until.ts'
import { Writers } from './writers.ts'

const run = promisify(execFile)
const poolSize = 4

export async function diskFull(size: Size, random: Random): Promise<Figures> {
  const dataDir = await makeDataDir()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=150m,mode=0711', 'tmpfs', dataDir])
  } catch {
    await removeDataDir(dataDir)
    return { 'times that the disk was full': 'not checked: only root may mount' }
  }
  try {
    return await fillAndFree(dataDir, size === 'long' ? 2 : 1, random)
  } finally {
    endPostgres(dataDir)
    await until('the file system can be unmounted', 10, () =>
      run('umount', [dataDir]).then(
        () => true,
        () => false,
      ),
    )
    await removeDataDir(dataDir)
  }
}

async function fillAndFree(dataDir: string, times: number, random: Random): Promise<Figures> {
  const client = new Client()
  const writers = new Writers(client, random, 'long')
  let server: Server | undefined
  const untilRefused = (what: string) => {
    const { unavailable } = client.counts
    return until(what, 60, () => {
      writers.check()
      return client.counts.unavailable > unavailable + 20
    })
  }
  try {
    server = await startServer(dataDir, { DATABASE_POOL: String(poolSize) })
    client.up(server.url)
    await writers.prepare()
    writers.start()
    for (let time = 1; time <= times; time++) {
      const ballast = join(dataDir, 'ballast')
      await fill(ballast)
      await untilRefused('writes are refused because the disk is full')
      // The second time there is no space for the write-ahead log either, and PostgreSQL stops.
      if (time > 1) {
        await useUpLog(dataDir, ballast)
        await untilRefused('writes are refused because PostgreSQL has stopped')
      }
      await rm(ballast)
      await writers.untilWell(60)
      await inspect(dataDir, (db) => compare(db, writers.ledger))
    }
    await writers.stop()
    await inspect(dataDir, (db) => compare(db, writers.ledger))
    await checkPool(client, (use) => inspect(dataDir, use), poolSize)
    client.down()
    const status = await server.stop()
    if (status !== 0) throw new Breach(`A clean stop ended with ${status}:\n${server.output}`)
    return {
      'times that the disk was full': times,
      'writes refused with 503 because of it': client.counts.unavailable,
    }
  } finally {
    await writers.stop().catch(() => {})
    await server?.kill()
    client.close()
  }
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    const piece = Buffer.alloc(64 * 1024, 1)
    for (;;) if ((await handle.write(piece)).bytesWritten < piece.length) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}

/** Makes PostgreSQL start new files of its write-ahead log until it stops for lack of space. */
async function useUpLog(dataDir: string, ballast: string): Promise<void> {
  await inspect(dataDir, async (db) => {
    try {
      for (;;) {
        await fill(ballast)
        await query(db, sql`select pg_logical_emit_message(true, 'torture', 'x'), pg_switch_wal()`)
      }
    } catch (error) {
      if (!isUnavailable(error)) throw error
    }
  })
}

// Scheduled backups by the running server. The names of the files in the folder tell when the next one
// is due, so a restart does not change the schedule.

import { join } from 'node:path'
import type { S3Settings } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { messageForLog } from '../db/error-for-log.ts'
import { openSecondPool } from '../db/lock-limit.ts'
import { run } from '../db/sql.ts'
import { every, type Loop, type LoopLog } from '../every.ts'
import { makeFolder } from '../make-folder.ts'
import { backUpToFile } from './file.ts'
import { backupsAmong, listBackups, nameAt, prune, timeOf } from './folder.ts'
import { runHook } from './hook.ts'
import { openS3, type Storage } from './s3.ts'

export interface ScheduledBackups {
  /** Makes a backup if one is due. Returns its file name. */
  tick(): Promise<string | undefined>
  start(): void
  /** Cancels a running backup. */
  stop(): Promise<void>
}

export interface ScheduleOptions {
  db: Pool
  folder: string
  everyMs: number
  keep: number
  /** Encrypts them. */
  key?: string | undefined
  /** Gets a copy of the newest one, and keeps as many. */
  storage?: S3Settings | undefined
  /** A command to run after each. */
  hook?: string | undefined
  clock: () => Date
  log: LoopLog
}

/** How often we check whether a backup is due. */
const lookMs = 30_000
/** A backup that is twice as old as it should be is late. */
export const isLate = (ageMs: number, everyMs: number) => ageMs >= 2 * everyMs
/** After a failure we retry before the next backup is due, but not immediately. */
const retryMs = 600_000
/** Advisory lock of the server that makes the backups, when several servers share a database. */
const backupLock = 7_245_319

export function scheduleBackups(options: ScheduleOptions): ScheduledBackups {
  const { db, folder, everyMs, keep, key, hook, clock, log } = options
  // PostgreSQL ties the lock to a connection, so we hold it on a separate connection, not in the pool.
  const connection = openSecondPool(db)
  const stopping = new AbortController()
  const storage = options.storage && openS3(options.storage, stopping.signal)
  /** The storage has the newest one. */
  let isSent = !storage
  let loop: Loop | undefined
  let notBefore = 0
  const told = new Set<string>()

  async function tick(): Promise<string | undefined> {
    const now = clock()
    if (now.getTime() < notBefore) return undefined
    try {
      await makeFolder(folder, 0o700)
      if ((isSent && !(await isDue(now))) || !(await isOurs())) return undefined
      // Check again: the server that held the lock may have made a backup in the meantime.
      const file = (await isDue(now)) ? await backUp(now) : undefined
      if (storage && !isSent) await send(storage, now)
      return file
    } catch (error) {
      if (stopping.signal.aborted) return undefined
      notBefore = now.getTime() + Math.min(retryMs, everyMs)
      log.error({ err: error }, `Backup failed: ${messageForLog(error)}`)
      return undefined
    }
  }

  async function isDue(now: Date): Promise<boolean> {
    const { past, future } = await listBackups(folder, now)
    const [newest] = past
    const last = newest === undefined ? undefined : timeOf(newest)
    const age = last ? now.getTime() - last.getTime() : 0
    tellOnce(
      future.length > 0 &&
        `Ignored ${future.length} backups from the future in ${folder}, the last one is ${future[0]}. Was the clock wrong? Delete or rename them.`,
    )
    tellOnce(
      isLate(age, everyMs) &&
        `The last backup is late: it is from ${last?.toISOString()}. See the earlier lines for the reason, unless this server was stopped.`,
    )
    return !last || age >= everyMs
  }

  /** Of each text, one line until the next start. */
  function tellOnce(text: string | false): void {
    if (!text || told.has(text)) return
    told.add(text)
    log.error({}, text)
  }

  /** Tries to take the lock. Also returns true if this server already holds it. */
  async function isOurs(): Promise<boolean> {
    const [row] = await run<{ held: boolean }[]>(connection)`
      select pg_try_advisory_lock(${backupLock}) as held`
    return row?.held === true
  }

  async function backUp(now: Date): Promise<string> {
    const file = join(folder, nameAt(now))
    await prune(folder, keep, now)
    const { bytes } = await backUpToFile(db, file, { now, key, signal: stopping.signal })
    const deleted = await prune(folder, keep, now)
    log.info(`Backed up to ${file} (${bytes} bytes), ${deleted.length} older ones deleted`)
    isSent = !storage
    if (hook) {
      await runHook(hook, file, stopping.signal).catch((error) =>
        log.error({ err: error }, `BACKUP_HOOK failed: ${error.message}`),
      )
    }
    return file
  }

  /** After a failure, it is tried again like a backup. */
  async function send(to: Storage, now: Date): Promise<void> {
    const [newest] = (await listBackups(folder, now)).past
    if (newest === undefined) return
    const there = await to.list()
    if (!there.includes(newest)) await to.send(newest, join(folder, newest))
    const old = backupsAmong([...new Set([...there, newest])], now).past.slice(keep)
    for (const name of old) await to.remove(name)
    isSent = true
    log.info(`${to.where} has ${newest}, ${old.length} older ones deleted there`)
  }

  return {
    tick,
    start() {
      loop = every(lookMs, 'backups', log, tick, 0)
    },
    async stop() {
      stopping.abort()
      await loop?.stop()
      await connection.end({ timeout: 5 })
    },
  }
}

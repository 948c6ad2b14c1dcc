// Backups that the running server makes by itself. What is due follows from the names in the folder,
// so a restart changes nothing.
import { join } from 'node:path'
import { connectBeside, type Pool } from '../db/connect.ts'
import { makeFolder } from '../make-folder.ts'
import { backUpToFile } from './file.ts'
import { listBackups, nameAt, prune, timeOf } from './folder.ts'

export interface ScheduledBackups {
  /** Makes a backup if one is due. Answers its file. */
  tick(): Promise<string | undefined>
  start(): void
  /** Breaks off what is under way. */
  stop(): Promise<void>
}

export interface ScheduleOptions {
  db: Pool
  folder: string
  everyMs: number
  keep: number
  clock: () => Date
  log: { info(text: string): void; error(about: object, text: string): void }
}

const lookMs = 30_000
/** After a failure it is tried again sooner than the next is due, but not at once. */
const retryMs = 600_000
/** Held by the one of several servers on a database that makes its backups, as long as it lives. */
const backupLock = 7_245_319

export function scheduleBackups(options: ScheduleOptions): ScheduledBackups {
  const { db, folder, everyMs, keep, clock, log } = options
  // The lock belongs to a connection, so it has one that nobody else uses.
  const connection = connectBeside(db)
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let notBefore = 0

  async function tick(): Promise<string | undefined> {
    const now = clock()
    if (now.getTime() < notBefore) return undefined
    try {
      await makeFolder(folder, 0o700)
      if (!(await isDue(now)) || !(await isOurs())) return undefined
      // Whoever had the lock before may have made one.
      if (!(await isDue(now))) return undefined
      return await backUp(now)
    } catch (error) {
      if (stopping.signal.aborted) return undefined
      notBefore = now.getTime() + Math.min(retryMs, everyMs)
      log.error({ err: error }, `No backup was made: ${(error as Error).message}`)
      return undefined
    }
  }

  async function isDue(now: Date): Promise<boolean> {
    const [newest] = await listBackups(folder)
    const last = newest && timeOf(newest)
    return !last || now.getTime() - last.getTime() >= everyMs
  }

  /** Asked again by the one that holds it, the database says yes again. */
  async function isOurs(): Promise<boolean> {
    const [row] = await connection<{ held: boolean }[]>`
      select pg_try_advisory_lock(${backupLock}) as held`
    return row?.held === true
  }

  async function backUp(now: Date): Promise<string> {
    const file = join(folder, nameAt(now))
    await prune(folder, keep)
    const { bytes } = await backUpToFile(db, file, { now, signal: stopping.signal })
    const deleted = await prune(folder, keep)
    log.info(`Backed up to ${file} (${bytes} bytes), ${deleted.length} older ones deleted`)
    return file
  }

  function schedule(delay: number): void {
    timer = setTimeout(() => {
      running = tick().then(() => {
        if (!stopping.signal.aborted) schedule(lookMs)
      })
    }, delay)
  }

  return {
    tick,
    start: () => schedule(0),
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
      await connection.end({ timeout: 5 })
    },
  }
}

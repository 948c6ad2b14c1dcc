// Direct access to the server's database and to the processes of PostgreSQL.

import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { connect, isUnavailable, type Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import { findPostmaster } from '../src/engine/postmaster.ts'
import { targetOf } from '../src/engine/roles.ts'
import { until } from './until.ts'

/** Calls `use` with new connections to the bundled PostgreSQL. Retries until it can connect. */
export function inspect<T>(dataDir: string, use: (db: Pool) => Promise<T>, max = 1): Promise<T> {
  return until('PostgreSQL accepts a connection', 60, async () => {
    const server = await findPostmaster(join(dataDir, 'postgres'))
    if (server?.status !== 'ready') return undefined
    const db = connect(targetOf('superuser', server.address, undefined), { max })
    try {
      // Connect now: `use` may be about to break the server.
      await run(db)`select 1`
      return { result: await use(db) }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return undefined
    } finally {
      await db.end({ timeout: 1 })
    }
  }).then(({ result }) => result)
}

/** Ids of all PostgreSQL processes that use this data. Known on Linux only. */
export function postgresProcesses(dataDir: string): number[] {
  if (process.platform !== 'linux') return []
  const data = join(dataDir, 'postgres')
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && workingFolder(pid) === data)
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** For the end of a run, even of a failed one. */
export function endPostgres(dataDir: string): void {
  for (const pid of postgresProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended in between.
    }
  }
}

/** The server's sessions, without our own. */
export function serverSessions(db: Pool) {
  return run<{ pid: number; state: string }[]>(db)`
    select pid, state from pg_stat_activity
    where application_name = 'rapport' and backend_type = 'client backend'
      and pid <> pg_backend_pid()`
}

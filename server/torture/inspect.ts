// The database behind the server's back, and its processes.
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { connect, isUnavailable, type Pool } from '../src/db/driver.ts'
import { databaseUser } from '../src/engine/create.ts'
import { findPostmaster } from '../src/engine/postmaster.ts'
import type { Client } from './client.ts'
import { Breach } from './torture.ts'
import { until } from './until.ts'

/** Runs on connections of its own to the PostgreSQL in the box, as soon as that takes one. */
export function inspect<T>(dataDir: string, use: (db: Pool) => Promise<T>, max = 1): Promise<T> {
  return until('PostgreSQL lets us look into it', 60, async () => {
    const server = await findPostmaster(join(dataDir, 'postgres'))
    if (server?.status !== 'ready') return undefined
    const db = connect(
      { ...server.address, database: databaseUser, username: databaseUser },
      { max },
    )
    try {
      // Connected before anything happens to the server.
      await db`select 1`
      return { result: await use(db) }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return undefined
    } finally {
      await db.end({ timeout: 1 })
    }
  }).then(({ result }) => result)
}

/** Process ids of everything PostgreSQL runs on this data. Only Linux tells. */
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

/** For the end of a run, whatever it came to. */
export function endPostgres(dataDir: string): void {
  for (const pid of postgresProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went by itself.
    }
  }
}

/** The server's sessions, without the one that asks. */
export function serverSessions(db: Pool) {
  return db<{ pid: number; state: string }[]>`
    select pid, state from pg_stat_activity
    where application_name = 'rapport' and backend_type = 'client backend'
      and pid <> pg_backend_pid()`
}

/**
 * All connections of the server's pool can be used at the same time, and none has anything under way
 * when nobody asks for anything.
 */
export async function checkPool(client: Client, dataDir: string, size: number): Promise<void> {
  await inspect(dataDir, async (db) => {
    await until('all connections of the pool are idle', 20, async () =>
      (await serverSessions(db)).every(({ state }) => state === 'idle'),
    )
    // The driver may put requests behind others that wait though a connection has become free, until
    // no more are let through to it. With the next try they are spread anew; a lost one stays lost.
    for (let tries = 3; ; tries--) {
      try {
        return await useAllAtOnce(client, db, size)
      } catch (error) {
        if (tries === 1 || !(error instanceof Breach)) throw error
      }
    }
  })
}

async function useAllAtOnce(client: Client, db: Pool, size: number): Promise<void> {
  const asked: Promise<unknown>[] = []
  try {
    await db.begin(async (tx) => {
      await tx`lock table tag in access exclusive mode`
      await until(`all ${size} connections of the pool work`, 8, async () => {
        const answer = client.send({ method: 'GET', path: '/tags' })
        answer.catch(() => {})
        asked.push(answer)
        const [row] = await tx<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
          where relation = 'tag'::regclass and not granted and application_name = 'rapport'`
        return row?.waiting === size
      })
    })
    await Promise.all(asked)
  } finally {
    await Promise.allSettled(asked)
  }
}

import postgres from 'postgres'
import { USER } from './create.ts'
import { codeOf } from './engine-error.ts'
import type { Address } from './postmaster.ts'

/** Any fixed number: it marks the processes that use this PostgreSQL. */
const IN_USE = 7_264_915_001

const PATIENCE_MS = 200
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Our registration with the server: a session that holds a shared lock. PostgreSQL drops the lock
 * with the session, so a killed process does not count.
 */
export interface Session {
  /** fulfilled when the session ends without our doing */
  lost: Promise<void>
  /** Gives the registration up. True: nobody else is registered, and nobody can until close(). */
  release(): Promise<boolean>
  close(): Promise<void>
}

export async function register(address: Address, password: string | undefined): Promise<Session> {
  let reportLoss = () => {}
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve
  })
  // Everything is said here, because the driver takes what is not from PG… variables.
  const sql = postgres({
    ...address,
    password: password ?? '',
    username: USER,
    // Not Rapport's own database: that one may be dropped and restored while we are registered.
    database: 'postgres',
    max: 1,
    ssl: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
    onclose: () => reportLoss(),
    connection: { application_name: 'rapport engine' },
  })
  try {
    await sql`select pg_advisory_lock_shared(${IN_USE}::bigint)`
    await ensureDatabase(sql)
  } catch (error) {
    await sql.end({ timeout: 0 }).catch(() => {})
    throw error
  }
  return {
    lost,
    async release() {
      await sql`select pg_advisory_unlock_shared(${IN_USE}::bigint)`
      // Waits a moment: PostgreSQL may not have noticed yet that a killed process is gone.
      await sql.unsafe(`set lock_timeout = ${PATIENCE_MS}`)
      try {
        await sql`select pg_advisory_lock(${IN_USE}::bigint)`
        return true
      } catch (error) {
        if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
        return false
      }
    },
    async close() {
      await sql.end({ timeout: 0 }).catch(() => {})
    },
  }
}

/** On every open, so that a crash right after the data was created heals. */
async function ensureDatabase(sql: postgres.Sql): Promise<void> {
  const found = await sql`select from pg_database where datname = ${USER}`
  if (found.length > 0) return
  try {
    await sql.unsafe(`create database ${USER} template template0`)
  } catch (error) {
    // Another process made it in the same moment: duplicate_database, unique_violation.
    if (codeOf(error) !== '42P04' && codeOf(error) !== '23505') throw error
  }
}

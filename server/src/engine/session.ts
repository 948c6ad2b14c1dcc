import { connectSession, isLockTimeout } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import type { Address } from './postmaster.ts'
import { roles, setUpDatabase } from './roles.ts'

/** An advisory lock; any fixed number. Each process that uses this PostgreSQL holds it shared. */
const inUseLock = 7_264_915_001

const patienceMs = 200

/**
 * Registers this process with the server: a session that holds a shared lock. PostgreSQL releases
 * the lock when the session ends, so a killed process does not count.
 */
export interface Session {
  /** Resolves when the session has ended, even when we did not end it. */
  lost: Promise<void>
  /** Ends the registration. True: no other process is registered, and none can be until close(). */
  release(): Promise<boolean>
  close(): Promise<void>
}

export async function register(address: Address, secret: string | undefined): Promise<Session> {
  let reportLoss = () => {}
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve
  })
  // Not Rapport's own database, which may be dropped and restored while we are registered.
  const target = { ...address, database: 'postgres', username: roles.superuser }
  const session = connectSession({ ...target, password: secret ?? '' }, 'rapport engine', () =>
    reportLoss(),
  )
  try {
    await run(session, sql`select pg_advisory_lock_shared(${inUseLock}::bigint)`)
    await setUpDatabase(session, address, secret)
  } catch (error) {
    await session.end({ timeout: 0 }).catch(() => {})
    throw error
  }
  return {
    lost,
    async release() {
      await run(session, sql`select pg_advisory_unlock_shared(${inUseLock}::bigint)`)
      // Wait a moment, because PostgreSQL may not have noticed yet that a process was killed.
      await session.unsafe(`set lock_timeout = ${patienceMs}`)
      try {
        await run(session, sql`select pg_advisory_lock(${inUseLock}::bigint)`)
        return true
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        return false
      }
    },
    async close() {
      await session.end({ timeout: 0 }).catch(() => {})
    },
  }
}

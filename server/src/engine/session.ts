import { connectSession, type Db, isLockTimeout } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { codeOf } from './engine-error.ts'
import type { Address } from './postmaster.ts'
import { roles, setUpDatabase } from './roles.ts'

/** An advisory lock; any fixed number. Each process that uses this PostgreSQL holds it shared. */
const inUseLock = 7_264_915_001

const patienceMs = 200
/** Followed by the process id. */
const sessionName = 'rapport engine '

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

/** The processes that are registered, by their ids. */
async function selectOthers(session: Db): Promise<number[]> {
  const rows = await run<{ name: string }[]>(session)`
    select application_name as name from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and pid <> pg_backend_pid()
      and (classid::bigint << 32) + objid::bigint = ${inUseLock}::bigint`
  return rows.map(({ name }) => Number(name.slice(sessionName.length)))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Of another account.
    return codeOf(error) === 'EPERM'
  }
}

export async function register(address: Address, secret: string | undefined): Promise<Session> {
  let reportLoss = () => {}
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve
  })
  // Not Rapport's own database, which may be dropped and restored while we are registered.
  const target = { ...address, database: 'postgres', username: roles.superuser }
  const name = `${sessionName}${process.pid}`
  const session = connectSession({ ...target, password: secret ?? '' }, name, () => reportLoss())
  try {
    await run(session)`select pg_advisory_lock_shared(${inUseLock}::bigint)`
    await setUpDatabase(session, address, secret)
  } catch (error) {
    await session.end({ timeout: 0 }).catch(() => {})
    throw error
  }
  return {
    lost,
    async release() {
      await run(session)`select pg_advisory_unlock_shared(${inUseLock}::bigint)`
      const others = await selectOthers(session)
      if (others.some(isRunning)) return false
      // Wait a moment, because PostgreSQL may not have noticed yet that a process was killed.
      await session.unsafe(`set lock_timeout = ${patienceMs}`)
      try {
        await run(session)`select pg_advisory_lock(${inUseLock}::bigint)`
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

// Applies migrations: numbered SQL files, in order, each in its own transaction.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { root } from '../root.ts'
import { isDistributed } from './distribute.sql.ts'
import { distributeTables, removeLocalRows } from './distribute.ts'
import { type Db, givingWay, type Pool } from './driver.ts'
import { messageForLog } from './error-for-log.ts'
import { limitLockWaits } from './lock-limit.ts'
import { logIfSlow } from './log-if-slow.ts'
import { normalizeAddresses } from './normalize-addresses.sql.ts'
import { assumeOneWorkspace } from './planner.sql.ts'
import { splitStatements } from './split-statements.ts'
import { run } from './sql.ts'

type Log = (line: string) => void

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** What SQL cannot do. It runs after the statements, in the same transaction. */
  step?: Step | undefined
}

type Step = (tx: Db, log: Log) => Promise<void>

const steps = new Map<string, Step>([['0024_member_address.sql', normalizeAddresses]])

/** The schema cannot be migrated to the version of this program. The message is one line for people. */
export class MigrationError extends Error {}

/** A newer release has migrated the database. */
export class NewerSchema extends MigrationError {
  /** How many migrations this program has. */
  readonly known: number

  constructor(newest: string, migrations: Migration[]) {
    super(
      `The database is newer than this program. It has migration ${newest}, but the last migration of this program is ${migrations.at(-1)?.name}. Start the release of Rapport that made it, or a newer one.`,
    )
    this.known = migrations.length
  }
}

const folder = new URL('server/src/db/migrations/', root)

/**
 * The advisory lock of a start. Several processes may start on one database; one at a time may migrate
 * it.
 */
const startLock = 7_245_318

/**
 * How long a migration waits for a lock at first, less than PostgreSQL waits before it looks for a deadlock, and at most:
 * requests that wait behind it get through.
 */
const shortWaitMs = 500
const longestWaitMs = 5_000

/**
 * Applies the migrations that are missing, and returns their number. Then it calls `once` under the same
 * lock. It calls `before` with the first missing migration, but not on an empty database.
 */
export async function migrate(
  pool: Pool,
  once: () => Promise<void> = async () => {},
  migrations: Migration[] = readMigrations(),
  before: (next: Migration) => Promise<void> = async () => {},
  log: Log = () => {},
): Promise<number> {
  return underStartLock(pool, { log }, async () => {
    const checking = () => 'Waiting for a lock on the table schema_migration…'
    const done = await logIfSlow(log, checking, checkSchema(pool, migrations))
    const open = migrations.slice(done)
    if (done > 0 && open[0]) await before(open[0])
    for (const migration of open) {
      const migrating = () => `Migrating the database (${migration.name})…`
      await logIfSlow(
        log,
        migrating,
        givingWay(pool, async (tx, attempt) => {
          await limitLockWaits(tx, Math.min(attempt * shortWaitMs, longestWaitMs))
          await apply(tx, migration, log)
        }).catch(failed(migration)),
      )
    }
    await mend(pool, log)
    await assumeOneWorkspace(pool)
    await once()
    return open.length
  })
}

/**
 * Distributes tables that a distributed database has not distributed: their rows would stay behind when their
 * workspace is removed.
 */
async function mend(pool: Pool, log: Log): Promise<void> {
  if (!(await isDistributed(pool))) return
  const onTable = (table: string) => log(`The table ${table} was not distributed. Distributing it…`)
  const mended = await pool.begin((tx) => distributeTables(tx, onTable))
  if (mended.length > 0) await removeLocalRows(pool)
}

/** Does the work under the start lock: no other process starts, migrates or restores in the meantime. */
export async function underStartLock<T>(
  pool: Pool,
  { log = () => {}, signal }: { log?: Log | undefined; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const waiting = () =>
    'Waiting for another Rapport process that is starting, migrating or restoring on this database…'
  const lock = await pool.reserve()
  try {
    // No limit on the wait: another process may take long to migrate.
    await run(lock)`set lock_timeout = 0`
    const locked = run(lock)`select pg_advisory_lock(${startLock})`
    signal?.addEventListener('abort', () => locked.cancel(), { once: true })
    await logIfSlow(log, waiting, locked)
    return await work()
  } finally {
    await run(lock)`select pg_advisory_unlock(${startLock})`.catch(() => {})
    await run(lock)`reset lock_timeout`.catch(() => {})
    lock.release()
  }
}

export function readMigrations(from: URL = folder): Migration[] {
  return readdirSync(from)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
      if (version !== index + 1) {
        throw new MigrationError(`Migration ${name} is out of order. Number ${index + 1} is next.`)
      }
      const sql = readFileSync(new URL(name, from), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version, name, sql, checksum, step: steps.get(name) }
    })
}

/** Returns how many of these migrations the database has. Throws when it has others. */
export async function checkSchema(db: Db, migrations: Migration[]): Promise<number> {
  await run(db)`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null
    )`
  return readSchema(db, migrations)
}

/** The same for a database that has a schema: it needs no right to change one. */
export async function readSchema(db: Db, migrations: Migration[]): Promise<number> {
  const done = await run<{ version: number; name: string; checksum: string }[]>(db)`
    select version, name, checksum from schema_migration order by version`

  const newest = done.at(-1)
  if (newest && newest.version > migrations.length) throw new NewerSchema(newest.name, migrations)
  for (const { version, name, checksum } of done) {
    if (migrations[version - 1]?.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied to this database. Restore the file and put the change in a new migration.`,
      )
    }
  }
  return done.length
}

/** The name of a migration that this program does not have, if the database has one. */
export async function selectNewerMigration(db: Db, known: number): Promise<string | undefined> {
  const [newest] = await run<{ name: string }[]>(db)`
    select name from schema_migration where version > ${known} order by version desc limit 1`
  return newest?.name
}

/** Call it in a transaction, so that a failure undoes everything. */
export async function applyMigration(
  tx: Db,
  migration: Migration,
  log: Log = () => {},
): Promise<void> {
  await apply(tx, migration, log).catch(failed(migration))
}

async function apply(tx: Db, migration: Migration, log: Log): Promise<void> {
  const isOnCluster = await isDistributed(tx)
  // Otherwise a cluster refuses some changes of a table after a change of its rows.
  if (isOnCluster) await run(tx)`set local citus.multi_shard_modify_mode = 'sequential'`
  for (const statement of splitStatements(migration.sql)) await tx.unsafe(statement)
  await migration.step?.(tx, log)
  if (isOnCluster) await distributeTables(tx)
  await run(tx)`
    insert into schema_migration (version, name, checksum, applied_at)
    values (${migration.version}, ${migration.name}, ${migration.checksum}, ${new Date()})`
}

const failed =
  ({ name }: Migration) =>
  (cause: unknown): never => {
    throw new MigrationError(
      `Migration ${name} failed and was rolled back: ${messageForLog(cause)}`,
      { cause },
    )
  }

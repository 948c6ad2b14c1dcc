// Plain numbered SQL files, applied in order, each in a transaction of its own.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { root } from '../root.ts'
import type { Db, Pool } from './driver.ts'
import { run, sql } from './sql.ts'

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

/** A schema that cannot be brought to this program's version; the message is one line for people. */
export class MigrationError extends Error {}

const folder = new URL('server/src/db/migrations/', root)

/** One number for everything that must happen once when several processes start on one database. */
const startLock = 7_245_318

/**
 * Brings the schema up to date, then does `once` under the same lock. Answers how many were applied.
 * `before` is called when there is a schema and it is about to change, with the first migration.
 */
export async function migrate(
  pool: Pool,
  once: (pool: Pool) => Promise<void> = async () => {},
  migrations: Migration[] = readMigrations(),
  before: (next: Migration) => Promise<void> = async () => {},
): Promise<number> {
  return underStartLock(pool, async () => {
    const done = await checkSchema(pool, migrations)
    const open = migrations.slice(done)
    if (done > 0 && open[0]) await before(open[0])
    for (const migration of open) await pool.begin((tx) => applyMigration(tx, migration))
    await once(pool)
    return open.length
  })
}

/** Meanwhile nobody else starts, migrates or restores on this database. */
export async function underStartLock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const lock = await pool.reserve()
  try {
    // Another server may take long to start.
    await run(lock, sql`set lock_timeout = 0`)
    await run(lock, sql`select pg_advisory_lock(${startLock})`)
    return await work()
  } finally {
    await run(lock, sql`select pg_advisory_unlock(${startLock})`).catch(() => {})
    await run(lock, sql`reset lock_timeout`).catch(() => {})
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
        throw new MigrationError(`Migration ${name} is out of order: number ${index + 1} is next.`)
      }
      const sql = readFileSync(new URL(name, from), 'utf8')
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** Answers how many of these migrations the database has; refuses one that has others. */
export async function checkSchema(db: Db, migrations: Migration[]): Promise<number> {
  await requireVersion15(db)
  await run(
    db,
    sql`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null
    )`,
  )
  const done = await run<{ version: number; name: string; checksum: string }[]>(
    db,
    sql`
    select version, name, checksum from schema_migration order by version`,
  )

  const newest = done.at(-1)
  if (newest && newest.version > migrations.length) {
    throw new MigrationError(
      `The database is newer than this program: it has migration ${newest.name}, the program ends at ${migrations.at(-1)?.name}. Start the release of Rapport that made it, or a newer one.`,
    )
  }
  for (const { version, name, checksum } of done) {
    if (migrations[version - 1]?.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied to this database. Restore the file, and put the change into a new migration.`,
      )
    }
  }
  return done.length
}

/** In a transaction, which a failure undoes. */
export async function applyMigration(tx: Db, migration: Migration): Promise<void> {
  try {
    await run(tx, sql`set local lock_timeout = 0`)
    await tx.unsafe(migration.sql)
    await run(
      tx,
      sql`
      insert into schema_migration (version, name, checksum, applied_at)
      values (${migration.version}, ${migration.name}, ${migration.checksum}, ${new Date()})`,
    )
  } catch (error) {
    throw new MigrationError(
      `Migration ${migration.name} failed and was undone: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

async function requireVersion15(db: Db): Promise<void> {
  const [row] = await run<{ number: number; name: string }[]>(
    db,
    sql`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as name`,
  )
  if (row && row.number < 150_000) {
    throw new MigrationError(`Rapport needs PostgreSQL 15 or newer; this server is ${row.name}.`)
  }
}

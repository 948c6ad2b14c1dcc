import type { Db } from '../db/driver.ts'
import { rowValues, run, sql } from '../db/sql.ts'

/** Which request of which API key this is. */
export interface Request {
  id_space: string
  id_key: string
  key: string
}

export interface StoredAnswer {
  fingerprint: string
  /** Null when it was too large to keep. */
  answer: string | null
}

/**
 * Returns false when another transaction works on the same request. The lock ends with the transaction.
 * A lock of its own, because an insert of the same row would wait for the other transaction.
 */
export async function tryLock(db: Db, { id_space, id_key, key }: Request): Promise<boolean> {
  const [row] = await run<[{ locked: boolean }]>(
    db,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${id_space} ${id_key} ${key}`}, 0)) as locked`,
  )
  return row.locked
}

export async function selectAnswer(
  db: Db,
  { id_space, id_key, key }: Request,
  since: Date,
): Promise<StoredAnswer | undefined> {
  const [row] = await run<StoredAnswer[]>(
    db,
    sql`select fingerprint, answer from idempotency
      where id_space = ${id_space} and id_key = ${id_key} and key = ${key}
        and created_at > ${since}`,
  )
  return row
}

/** Keeps the answer, and deletes those of the workspace that are too old. */
export async function insertAnswer(
  db: Db,
  request: Request,
  stored: StoredAnswer,
  now: Date,
  since: Date,
): Promise<void> {
  await run(
    db,
    sql`delete from idempotency where id_space = ${request.id_space} and created_at <= ${since}`,
  )
  const row = { ...request, ...stored, created_at: now.toISOString() }
  await run(db, sql`insert into idempotency ${rowValues(row)}`)
}

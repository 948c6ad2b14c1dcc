import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, raw, run, type Sql, sql } from '../db/sql.ts'
import type { Repeatable } from '../http/handler.ts'

/** A longer answer is not kept, only that the request was done. */
const maxAnswerBytes = 64 * 1024

export interface StoredAnswer {
  fingerprint: string
  /** Null when it was too large to keep. */
  answer: string | null
  id_operation: string | null
}

const columns = raw('id_space, id_key, key, fingerprint, created_at, answer')

/** The request as values of a statement. */
type RequestValues = Record<keyof Repeatable, unknown>

const valuesOf = (
  { id_space, id_key, key, fingerprint }: RequestValues,
  now: unknown,
  answer: Sql,
) =>
  sql`${id_space}::uuid, ${id_key}::uuid, ${key}::text, ${fingerprint}::text, ${now}::timestamptz, ${answer}`

const isRowOf = ({ id_space, id_key, key }: RequestValues) =>
  sql`id_space = ${id_space}::uuid and id_key = ${id_key}::uuid and key = ${key}::text`

/**
 * False when another transaction works on the same request. The lock ends with the transaction. A lock of
 * its own, because an insert of the same row would wait for the other transaction.
 */
const tryLock = ({ id_space, id_key, key }: RequestValues) =>
  sql`pg_try_advisory_xact_lock(hashtextextended(
    concat_ws(' ', ${id_space}::uuid, ${id_key}::uuid, ${key}::text), 0))`

/**
 * Begins a request: locks it and adds its row, still without an answer. A row of before `since` is taken
 * over. Returns false when another transaction works on the request, or when it was done.
 */
export async function beginRequest(
  db: Db,
  request: Repeatable,
  now: Date,
  since: Date,
): Promise<boolean> {
  // A statement of its own: on a distributed database the row is on another server than the lock.
  const [lock] = await run<[{ held: boolean }]>(db, sql`select ${tryLock(request)} as held`)
  if (!lock.held) return false
  const rows = await run(
    db,
    sql`insert into idempotency (${columns})
      values (${valuesOf(request, now.toISOString(), sql`null`)})
      on conflict (id_space, id_key, key) do update set
        fingerprint = excluded.fingerprint, created_at = excluded.created_at, answer = null,
        id_operation = null
        where idempotency.created_at <= ${since}
      returning key`,
  )
  return rows.length > 0
}

export async function endRequest(
  db: Db,
  request: Repeatable,
  { body, operation }: { body: string; operation: string | null },
): Promise<void> {
  const answer = Buffer.byteLength(body) > maxAnswerBytes ? null : body
  await run(
    db,
    sql`update idempotency set answer = ${answer}, id_operation = ${operation}::uuid
      where ${isRowOf(request)}`,
  )
}

export async function selectAnswer(
  db: Db,
  request: Repeatable,
  since: Date,
): Promise<StoredAnswer | undefined> {
  const [row] = await run<StoredAnswer[]>(
    db,
    sql`select fingerprint, answer, id_operation from idempotency
      where ${isRowOf(request)} and created_at > ${since}`,
  )
  return row
}

/**
 * For work that is one statement: the condition under which it may write. The statement then stores its
 * answer with `insertAnswer`.
 */
export const isFirst = (request: RequestValues) =>
  sql`${tryLock(request)} and not exists (select from idempotency where ${isRowOf(request)})`

/**
 * The part of that statement that stores its answer: the column `json` of `answers`. If another request was
 * done after the statement began, `isFirst` did not see it. Then this violates the primary key, and the
 * statement changes nothing.
 */
export const insertAnswer = (request: RequestValues, now: unknown, answers: Sql) =>
  sql`insert into idempotency (${columns})
    select ${valuesOf(
      request,
      now,
      sql`case when octet_length(json) <= ${maxAnswerBytes}::int then json end`,
    )} from ${answers}`

/** The workspaces with answers of before a time. */
export async function selectSpacesWithAnswers(db: Db, before: Date): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(
    db,
    sql`${acrossWorkspaces} select distinct id_space from idempotency where created_at <= ${before}`,
  )
  return rows.map(({ id_space }) => id_space)
}

/** Returns how many were deleted. Leaves a row alone that a request takes over at this moment. */
export async function deleteAnswers(
  db: Db,
  space: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await run(
    db,
    sql`delete from idempotency where id_space = ${space} and (id_key, key) in (
        select id_key, key from idempotency
        where id_space = ${space} and created_at <= ${before}
        order by created_at limit ${limit} for update skip locked)
      returning key`,
  )
  return rows.length
}

import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, rowWriter, run, type Sql, sql } from '../db/sql.ts'
import type { Done, Repeatable } from '../http/handler.ts'

/** A longer response is not stored, only that the request was done. */
const maxAnswerBytes = 64 * 1024

export interface StoredAnswer {
  fingerprint: string
  /** Null if it was too large to store. */
  answer: string | null
  id_operation: string | null
}

/**
 * Whether we hold the lock of each request: not if another transaction works on the same one. The locks end with
 * the transaction. Locks of their own, because an insert of the same row would wait for the other transaction.
 * A statement of its own: on a distributed database the rows are on another server than the locks.
 */
export async function tryLocks(db: Db, requests: Repeatable[]): Promise<boolean[]> {
  const names = requests.map(({ id_space, id_key, key }) => `${id_space} ${id_key} ${key}`)
  const rows = await run<{ held: boolean }[]>(db)`
    select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as held
    from unnest(${names}::text[]) with ordinality as request (name, place) order by place`
  return rows.map(({ held }) => held)
}

/** The response of each request that was done after `since`. */
export async function selectAnswers(
  db: Db,
  space: string,
  requests: Repeatable[],
  since: Date,
): Promise<(StoredAnswer | undefined)[]> {
  const rows = await run<({ is_stored: boolean } & StoredAnswer)[]>(
    db,
    // LIMIT: one look into the index for each request, however many rows PostgreSQL expects. The age is compared
    // behind it: PostgreSQL would rather read all recent responses by the index of the age.
    sql`select stored.fingerprint is not null as is_stored, stored.fingerprint, stored.answer,
        stored.id_operation
      from unnest(
        ${requests.map(({ id_key }) => id_key)}::uuid[], ${requests.map(({ key }) => key)}::text[]
      ) with ordinality as request (id_key, key, place)
      left join lateral (
        select created_at, fingerprint, answer, id_operation from idempotency
        where id_space = ${space} and id_key = request.id_key and key = request.key limit 1) stored
        on stored.created_at > ${since}::timestamptz
      order by request.place`,
  )
  return rows.map(({ is_stored, ...stored }) => (is_stored ? stored : undefined))
}

const writeAnswers = rowWriter('idempotency', {
  ...{ id_key: 'uuid', key: 'text', fingerprint: 'text', created_at: 'timestamptz' },
  ...{ answer: 'text', id_operation: 'uuid' },
})

/** Stores answers. An existing row is too old to count: we hold the locks of the requests. */
export function insertAnswers(
  space: string,
  answers: { request: Repeatable; now: Date; done: Done }[],
): Sql {
  const rows = answers.map(({ request: { id_key, key, fingerprint }, now, done }) => ({
    ...{ id_key, key, fingerprint, created_at: now.toISOString(), id_operation: done.operation },
    answer: Buffer.byteLength(done.body) > maxAnswerBytes ? null : done.body,
  }))
  return sql`${writeAnswers(space, rows)}
    on conflict (id_space, id_key, key) do update set
      fingerprint = excluded.fingerprint, created_at = excluded.created_at,
      answer = excluded.answer, id_operation = excluded.id_operation`
}

/** The workspaces with responses from before a time. */
export async function selectSpacesWithAnswers(db: Db, before: Date): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    ${acrossWorkspaces} select distinct id_space from idempotency where created_at <= ${before}`
  return rows.map(({ id_space }) => id_space)
}

/** Returns how many were deleted. Leaves a row alone that a request takes over at this moment. */
export async function deleteAnswers(
  db: Db,
  space: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await run(db)`
    delete from idempotency where id_space = ${space} and (id_key, key) in (
      select id_key, key from idempotency
      where id_space = ${space} and created_at <= ${before}
      order by created_at limit ${limit} for update skip locked)
    returning key`
  return rows.length
}

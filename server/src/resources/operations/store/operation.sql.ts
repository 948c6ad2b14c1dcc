// Statements about operations: bulk changes that can be viewed and undone.
import type { OperationState } from '@rapport/contract/operations'
import type { OperationKind } from '@rapport/contract/operations.values'
import type { Db } from '../../../db/driver.ts'
import { assignments, columnNames, jsonb, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { changedLeads } from '../../../feed/journal.sql.ts'
import { shortened } from '../../../feed/shortened.ts'
import { newId } from '../../../ids.ts'

export interface OperationRow {
  id: string
  kind: OperationKind
  state: OperationState
  count: number
  changed: number
  id_member: string | null
  id_key: string | null
  way: Author['actor']['way']
  request_id: string | null
  filter: Record<string, unknown> | null
  data: Record<string, unknown> | null
  created_at: string
  done_at: string | null
  lease_until: string | null
  error: string | null
  since_seq: number
  undo_of: string | null
  undone_by: string | null
  undone: number | null
  kept: number | null
  kept_reasons: { reason: string; leads: number }[] | null
  /** The event that it stands for: a change of one lead that was undone separately. */
  event_seq: number | null
}

/** Operations are listed by their time, and by their id. */
export type OperationPlace = Pick<OperationRow, 'created_at' | 'id'>

/** The author of the changes of an operation. */
export type OperationAuthor<A extends Author = Author> = A & Required<Pick<Author, 'operation'>>

const columns = columnNames([
  ...['id', 'kind', 'state', 'count', 'changed', 'id_member', 'id_key', 'way', 'request_id'],
  ...['filter', 'data', 'created_at', 'done_at', 'lease_until', 'error', 'since_seq'],
  ...['undo_of', 'undone_by', 'undone', 'kept', 'kept_reasons', 'event_seq'],
])

/** Begins an operation. Returns the author of its changes. */
export async function beginOperation<A extends Author>(
  db: Db,
  by: A,
  kind: OperationKind,
  {
    filter,
    data,
    id = newId(),
    leaseUntil,
  }: { filter?: object; data?: object; id?: string; leaseUntil?: Date },
): Promise<OperationAuthor<A>> {
  const { space, actor, now } = by
  const json = (value: object | undefined) => (value ? jsonb(shortened(value)) : sql`null::jsonb`)
  await run(db)`insert into operation (
      id_space, id, kind, state, count, changed, id_member, id_key, way, request_id, filter, data,
      created_at, lease_until, undo_of, since_seq)
    select ${space}::uuid, ${id}::uuid, ${kind}, 'running', 0, 0, ${actor.member}::uuid,
      ${actor.key}::uuid, ${actor.way}, ${actor.request_id}::text, ${json(filter)}, ${json(data)},
      ${now.toISOString()}::timestamptz, ${leaseUntil?.toISOString() ?? null}::timestamptz,
      ${by.undoOf ?? null}::uuid, event_head.seq
    from event_head where event_head.id_space = ${space}`
  return { ...by, operation: { id, steps: 0 } }
}

/** Continues an operation that has several transactions. */
export async function resumeOperation<A extends Author>(
  db: Db,
  by: A,
  id: string,
): Promise<OperationAuthor<A>> {
  const [row] = await run<[{ steps: number }]>(db)`
    select coalesce(max(step), 0)::int as steps from operation_before
    where id_space = ${by.space} and id_operation = ${id}`
  return { ...by, operation: { id, steps: row.steps } }
}

export async function changeOperation(
  db: Db,
  space: string,
  id: string,
  change: Partial<Omit<OperationRow, 'id' | 'kept_reasons' | 'data'>> & {
    data?: Sql
    kept_reasons?: Sql
  },
): Promise<void> {
  await run(db)`
    update operation set ${assignments(change)} where id_space = ${space} and id = ${id}`
}

/** Ends an operation. One without an end is still in progress, or its process has died. */
export function endOperation(
  db: Db,
  { space, operation, now }: OperationAuthor,
  counts: { count: number; changed: number; kept?: number; kept_reasons?: Sql },
): Promise<void> {
  const done_at = now.toISOString()
  return changeOperation(db, space, operation.id, { state: 'done', done_at, ...counts })
}

/** The work of a running operation was rolled back. If its commit only seemed to fail, it stays done: false. */
export async function failOperation(
  db: Db,
  space: string,
  id: string,
  error: string,
  now: Date,
): Promise<boolean> {
  const rows = await run(db)`
    update operation set ${assignments({ state: 'failed', error, done_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} and state = 'running' returning id`
  return rows.length > 0
}

export async function selectOperation(
  db: Db,
  space: string,
  id: string,
  lock: 'lock' | 'no lock' = 'no lock',
): Promise<OperationRow | undefined> {
  const locking = lock === 'lock' ? sql`for no key update` : sql``
  const [row] = await select(db, sql`id_space = ${space} and id = ${id} ${locking}`)
  return row
}

/** Newest first, those after `after`. */
export function selectOperations(
  db: Db,
  space: string,
  { after, limit }: { after: OperationPlace | undefined; limit: number },
): Promise<OperationRow[]> {
  const older = after ? sql`and (created_at, id) < (${after.created_at}, ${after.id})` : sql``
  return select(
    db,
    sql`id_space = ${space} ${older} order by created_at desc, id desc limit ${limit}`,
  )
}

function select(db: Db, which: Sql): Promise<OperationRow[]> {
  return run<OperationRow[]>(db)`select ${columns} from operation where ${which}`
}

/** From a time, and before another one. */
export interface Interval {
  start: string
  end: string
}

export interface RecentOperations {
  interval: Interval
  before: OperationPlace | undefined
  kinds: OperationKind[]
  member: string | undefined
  limit: number
}

/** One statement looks at this many operations at most, and at this many to count them. */
const span = 5_000
const countedSpan = 100_000

const within = ({ start, end }: Interval) =>
  sql`created_at >= ${start}::text::timestamptz and created_at < ${end}::text::timestamptz`

/**
 * Operations that changed something, newest first, without those that stand for an event. `upTo`: all newer ones
 * were looked at; undefined if there are no older ones.
 */
export async function selectRecentOperations(
  db: Db,
  space: string,
  { interval, before, kinds, member, limit }: RecentOperations,
): Promise<{ rows: OperationRow[]; upTo: OperationPlace | undefined }> {
  const older = before ? sql`and (created_at, id) < (${before.created_at}, ${before.id})` : sql``
  const among = sql`id_space = ${space} and ${within(interval)} ${older}`
  const newest = sql`order by created_at desc, id desc`
  const rows = await run<OperationRow[]>(db)`select ${columns}
    from (select * from operation where ${among} ${newest} limit ${span}) recent
    where event_seq is null and (state <> 'done' or changed > 0) and kind = any(${kinds}::text[])
      ${member ? sql`and id_member = ${member}` : sql``}
    ${newest} limit ${limit}`
  if (rows.length === limit) return { rows, upTo: rows.at(-1) }
  const [last] = await run<OperationPlace[]>(db)`
    select created_at, id from operation where ${among} ${newest} limit 1 offset ${span - 1}`
  return { rows, upTo: last }
}

/** Which of these events were undone by themselves: the number of the event, and the undo. */
export async function selectUndone(
  db: Db,
  space: string,
  seqs: number[],
): Promise<Map<number, string>> {
  const rows = await run<{ event_seq: number; undone_by: string }[]>(db)`
    select event_seq, undone_by from operation
    where id_space = ${space} and event_seq = any(${seqs}::bigint[]) and undone_by is not null`
  return new Map(rows.map(({ event_seq, undone_by }) => [event_seq, undone_by]))
}

export interface MemberCount {
  member: string | null
  kind: OperationKind
  count: number
  /** Of an import: those that were there before. */
  updated: number
}

/** How many leads operations of each kind changed, by member. */
export function countByMember(db: Db, space: string, interval: Interval): Promise<MemberCount[]> {
  const companies = sql`coalesce((data ->> 'companies')::bigint, 0)`
  const updated = sql`case when kind = 'import'
    then greatest(changed - (data ->> 'created')::bigint - ${companies}, 0) end`
  return run<MemberCount[]>(db)`select id_member as member, kind, sum(changed)::bigint as count,
      coalesce(sum(updated), 0)::bigint as updated
    from (
      select id_member, kind, changed, event_seq, ${updated} as updated from operation
      where id_space = ${space} and ${within(interval)}
      order by created_at desc, id desc limit ${countedSpan}) recent
    where event_seq is null
    group by id_member, kind`
}

/** How many different leads an operation changed. */
export async function countChanged(db: Db, space: string, id: string): Promise<number> {
  const [row] = await run<[{ count: number }]>(db)`select count(distinct id)::int as count
    from operation_before, unnest(operation_before.ids) as id
    where operation_before.id_space = ${space} and operation_before.id_operation = ${id}
      and ${changedLeads}`
  return row.count
}

/** Deletes the old values of operations that ended before a time: they can no longer be undone. */
export async function deleteBefores(db: Db, before: Date): Promise<void> {
  // An import whose process died ends when its lease does.
  const ended = sql`coalesce(done_at, lease_until) < ${before}`
  await forEachSpace(
    db,
    ended,
    (space, ids) =>
      run(db)`delete from operation_before
      where id_space = ${space} and id_operation = any(${ids}::uuid[])`,
  )
}

/** Deletes the operations themselves. */
export async function deleteOperations(db: Db, before: Date): Promise<void> {
  await forEachSpace(
    db,
    sql`created_at < ${before}`,
    (space, ids) =>
      run(db)`delete from operation where id_space = ${space} and id = any(${ids}::uuid[])`,
  )
}

/** One workspace after the other, with the ids of its operations for which the condition holds. */
async function forEachSpace(
  db: Db,
  condition: Sql,
  work: (space: string, ids: string[]) => PromiseLike<unknown>,
): Promise<void> {
  const rows = await run<{ id_space: string; ids: string[] }[]>(db)`
    select id_space, array_agg(id) as ids from operation where ${condition} group by id_space`
  for (const { id_space, ids } of rows) await work(id_space, ids)
}

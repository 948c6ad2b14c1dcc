// Statements that read the change feed.

import type { Event, EventType } from '@rapport/contract'
import { notFound } from '@rapport/contract/errors'
import type { Db } from '../../db/driver.ts'
import { raw, run, sql } from '../../db/sql.ts'
import { concernedLeads, concernsAny, concernsLeads } from '../../feed/concerns.sql.ts'
import type { Head } from '../../feed/head.sql.ts'
import { changedSql } from '../../feed/journal.sql.ts'
import { selectParts } from '../leads/row/merged.sql.ts'

interface Row {
  seq: number
  type: EventType
  at: string
  id_member: string | null
  id_key: string | null
  way: Event['actor']['way']
  request_id: string | null
  id_operation: string | null
  undo_of: string | null
  ids: string[]
  changed: Record<string, unknown> | null
}

const columns = sql`seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed`

/** One statement looks at this many events at most. With a filter of types it may return none of them. */
const span = 20_000

export interface Page {
  head: Head
  /** Oldest first. */
  events: Event[]
  /** All events of these types up to this number are in this page or before it. */
  upTo: number
}

/**
 * Up to `limit` events with numbers above `after`. They are read in one statement with the head: with
 * two, events could be deleted for their age in between, and nobody would see that they are missing.
 */
export async function selectPage(
  db: Db,
  space: string,
  { after, limit, types }: { after: number; limit: number; types: EventType[] },
): Promise<Page> {
  const wanted = types.length > 0 ? sql`and type = any(${types}::text[])` : sql``
  const rows = await run<(Row & { epoch: string; last: number; pruned: number })[]>(
    db,
    sql`select head.epoch, head.seq as last, head.pruned, found.*
      from event_head head
      left join lateral (
        select ${columns} from event
        where id_space = ${space} and seq > greatest(head.pruned, ${after})
          and seq <= greatest(head.pruned, ${after}) + ${span} ${wanted}
        order by seq limit ${limit}
      ) found on true
      where head.id_space = ${space}
      order by found.seq`,
  )
  const [first] = rows
  // The workspace was deleted, and the key is not checked at every moment.
  if (!first) throw notFound()
  const head = { epoch: first.epoch, seq: first.last, pruned: first.pruned }
  const events = first.type === null ? [] : rows.map(toEvent)
  const looked = Math.max(head.pruned, after) + span
  const upTo = events.length === limit ? (events.at(-1) as Event).seq : Math.min(head.seq, looked)
  return { head, events, upTo }
}

/** What concerns one lead and those that were merged into it, newest first, with numbers below `before`. */
export async function selectLeadEvents(
  db: Db,
  space: string,
  lead: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Event[]> {
  const older = before === undefined ? sql`` : sql`and seq < ${before}`
  const leads = await selectParts(db, space, lead)
  const rows = await run<Row[]>(db)`select ${columns} from event
    where id_space = ${space} and ${concernsAny(sql`${leads}::uuid[]`)} ${older}
    order by seq desc limit ${limit}`
  const missing = rows.filter(
    ({ type, changed, id_operation }) => type === 'lead.updated' && !changed && id_operation,
  )
  const found = missing.length > 0 ? await selectChanged(db, space, leads, missing) : new Map()
  return rows.map((row) => toEvent({ ...row, changed: row.changed ?? found.get(row.seq) ?? null }))
}

/**
 * What these events did to one lead. A bulk change with very many different values writes events without
 * them (journal.sql.ts), but the operation has them as long as it can be undone.
 */
async function selectChanged(
  db: Db,
  space: string,
  leads: string[],
  events: Row[],
): Promise<Map<number, Row['changed']>> {
  const rows = await run<Pick<Row, 'seq' | 'changed'>[]>(db)`
    select event.seq, ${changedSql(raw('operation_value'))} as changed
    from event
    join operation_value on operation_value.id_space = ${space}
      and operation_value.id_operation = event.id_operation and operation_value.step = event.step
      and operation_value.what not in ('kept', 'steps') and operation_value.ids && ${leads}::uuid[]
    where event.id_space = ${space} and event.seq = any(${events.map(({ seq }) => seq)}::bigint[])`
  return new Map(rows.map(({ seq, changed }) => [seq, changed]))
}

export interface RecentEvents {
  /** Numbers from `from` to before `before`. */
  from: number
  before: number
  types: EventType[]
  member: string | undefined
  limit: number
}

export interface RecentEvent {
  event: Event
  /** The leads that it concerns. */
  leads: string[]
}

/** One statement looks at this many events at most. */
const recentSpan = 50_000

/**
 * Events that are not part of an operation, newest first. `upTo`: all newer ones were looked at; undefined if there
 * are no older ones.
 */
export async function selectRecentEvents(
  db: Db,
  space: string,
  { from, before, types, member, limit }: RecentEvents,
): Promise<{ rows: RecentEvent[]; upTo: { seq: number; at: string } | undefined }> {
  const low = Math.max(from, before - recentSpan)
  const found = await run<(Row & { leads: string[] })[]>(
    db,
    sql`select ${columns}, case when ${concernsLeads} then ${concernedLeads} else '{}' end as leads
      from event
      where id_space = ${space} and seq >= ${low} and seq < ${before}
        and id_operation is null and type = any(${types}::text[])
        ${member ? sql`and id_member = ${member}` : sql``}
      order by seq desc limit ${limit}`,
  )
  const rows = found.map((row) => ({ event: toEvent(row), leads: row.leads }))
  if (rows.length === limit) return { rows, upTo: rows.at(-1)?.event }
  if (low === from) return { rows, upTo: undefined }
  const [lowest] = await run<{ seq: number; at: string }[]>(db)`
    select seq, at from event where id_space = ${space} and seq >= ${low} order by seq limit 1`
  return { rows, upTo: lowest }
}

/** The number of the first event of a time or later. The numbers and the times of events grow together. */
export async function selectSeqAt(db: Db, space: string, time: string): Promise<number> {
  const [row] = await run<[{ seq: number }]>(db)`with recursive search (low, high) as (
      select event_head.pruned + 1, event_head.seq + 1 from event_head
      where event_head.id_space = ${space}
      union all
      select case when found.at < ${time}::text::timestamptz then middle + 1 else low end,
        case when found.at < ${time}::text::timestamptz then high else middle end
      from search, lateral (select (low + high) / 2 as middle) half, lateral (
        select event.at from event where event.id_space = ${space} and event.seq = middle) found
      where low < high)
    select low as seq from search order by high - low limit 1`
  return row.seq
}

/** How many records events changed, by member and type, and the time of the oldest that counts. */
export async function countRecent(
  db: Db,
  space: string,
  { from, before, types }: Pick<RecentEvents, 'from' | 'before' | 'types'>,
): Promise<{ member: string | null; type: EventType; count: number; oldest: string }[]> {
  return run<{ member: string | null; type: EventType; count: number; oldest: string }[]>(db)`
    select id_member as member, type, sum(records)::bigint as count, min(at) as oldest
    from (
      select id_member, type, at,
        case when type like '%.updated' then max(cardinality(ids)) else sum(cardinality(ids)) end as records
      from event
      where id_space = ${space} and seq >= ${from} and seq < ${before}
        and id_operation is null and type = any(${types}::text[])
      group by id_member, type, at, coalesce(request_id, seq::text)) request
    group by id_member, type`
}

function toEvent(row: Row): Event {
  const { seq, type, at, ids, changed, request_id, way } = row
  const actor = { member: row.id_member, key: row.id_key, way, request_id }
  const cause = { request_id, operation: row.id_operation, undo_of: row.undo_of }
  return { seq, type, at, actor, cause, ids, changed: changed ?? {} }
}

/** The events with these numbers that are still kept, oldest first. */
export async function selectEvents(db: Db, space: string, seqs: number[]): Promise<Event[]> {
  const rows = await run<Row[]>(db)`select ${columns} from event
    where id_space = ${space} and seq = any(${seqs}::bigint[]) order by seq`
  return rows.map(toEvent)
}

/** The leads that each of these events concerns. */
export async function selectConcerned(
  db: Db,
  space: string,
  seqs: number[],
): Promise<Map<number, string[]>> {
  const rows = await run<{ seq: number; leads: string[] }[]>(db)`
    select seq, ${concernedLeads} as leads from event
    where id_space = ${space} and seq = any(${seqs}::bigint[]) and ${concernsLeads}`
  return new Map(rows.map(({ seq, leads }) => [seq, leads]))
}

// Statements of POST /leads/list: the ids of a page and the total, or the ids of all selected leads.
import type { AnsweredField } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Db } from '../../db/driver.ts'
import { join, raw, run, runUnprepared, type Sql, sql } from '../../db/sql.ts'
import { isId } from '../../ids.ts'
import { columnType } from './leads.columns.ts'
import { leadCount } from './leads.count.sql.ts'
import { listedLeads } from './leads.place.sql.ts'

export interface Selection {
  space: string
  /** The filter as a condition (leadCondition). */
  condition: Sql
  order: Order
}

export interface Order {
  /** Joins with the lead table that the order needs. */
  joins: Sql
  by: Sql
  /** The same order backwards, if that costs no more. */
  reversed?: Sql
  /** The index alone can tell the ids of this order, if the filter has no condition but the status. */
  idsOfStatus?: Sql
}

const where = ({ space, condition }: Selection) =>
  sql`lead.id_space = ${space} and not lead.is_deleted and (${condition})`

type SortDirection = 'asc' | 'desc'

export function orderByFields(fields: { field: AnsweredField; type?: SortDirection }[]): Order {
  const terms = (isReversed: boolean) =>
    fields.map(({ field, type = 'asc' }) => {
      // The order that people expect: upper and lower case together. An ICU collation is the same on
      // every server.
      const collate = columnType(field) === 'text' ? ' collate "und-x-icu"' : ''
      const nulls = field === 'created_at' ? '' : ` nulls ${isReversed ? 'first' : 'last'}`
      const direction = (type === 'asc') === isReversed ? 'desc' : 'asc'
      return raw(`lead."${field}"${collate} ${direction}${nulls}`)
    })
  return {
    joins: sql``,
    by: join([...terms(false), raw('lead.id')], ', '),
    reversed: join([...terms(true), raw('lead.id desc')], ', '),
  }
}

export const newestFirst = orderByFields([{ field: 'created_at', type: 'desc' }])

/**
 * A lead can have several statuses. These conditions choose which of them count: with lists or statuses in
 * the filter, only those.
 */
export function countingStatuses({ lists = [], status = [] }: LeadFilter): Sql {
  const [listIds, statusIds] = [lists.filter(isId), status.filter(isId)]
  return join(
    [
      sql`true`,
      ...(listIds.length > 0 ? [sql`lead_status.id_list = any(${listIds}::uuid[])`] : []),
      ...(statusIds.length > 0 ? [sql`lead_status.id_status = any(${statusIds}::uuid[])`] : []),
    ],
    ' and ',
  )
}

/**
 * Orders by status, and within a status by its leads_order, then by place. A lead with several statuses has the place of
 * the first one that the filter allows.
 */
export function orderByPipeline(space: string, filter: LeadFilter): Order {
  return {
    joins: sql`
      left join lateral (
        select status.id, status."order", lead_status.place
        from lead_status join status
          on status.id_space = ${space} and status.id = lead_status.id_status
        where lead_status.id_space = ${space} and lead_status.id_lead = lead.id
          and ${countingStatuses(filter)}
        order by status."order", status.id limit 1
      ) stage on true
      left join (${listedLeads(space)}) listed
        on listed.id = stage.id and listed.id_lead = lead.id::text`,
    by: sql`stage."order" nulls last, stage.id, listed.position nulls last, stage.place,
      lead.created_at desc, lead.id`,
  }
}

/** The order within one status, as on a board. */
export function orderByPlace(space: string, status: string, type: SortDirection = 'asc'): Order {
  return {
    joins: sql`
      join lead_status placed on placed.id_space = ${space} and placed.id_status = ${status}
        and placed.id_lead = lead.id`,
    by: raw(`placed.place ${type}, lead.id ${type}`),
    // Deleted leads keep their status. They are few, and in a small index.
    idsOfStatus: sql`
      select id_lead as id from lead_status
      where id_space = ${space} and id_status = ${status} and id_lead not in (
        select id from lead where lead.id_space = ${space} and lead.is_deleted)
      order by place ${raw(type)}, id_lead ${raw(type)}`,
  }
}

export interface Page {
  ids: string[]
  total: number
}

/**
 * `total` is a subquery that counts the selected leads. It does not run if the page itself gives the
 * total.
 */
export function selectPage(
  db: Db,
  selection: Selection,
  total: Sql,
  limit: number,
  offset: number,
): Promise<Page> {
  const ids = sql`select lead.id from lead ${selection.order.joins}
    where ${where(selection)} order by ${selection.order.by}`
  return selectPageOf(db, ids, total, limit, offset)
}

/** The same for a query that returns the ids of all selected leads, in order. */
export async function selectPageOf(
  db: Db,
  ids: Sql,
  total: Sql,
  limit: number,
  offset: number,
): Promise<Page> {
  // A page that is not full is the last one, so its end is the total.
  const isTotalKnown = sql`count(*) < ${limit} and (count(*) > 0 or ${offset}::bigint = 0)`
  return readPage(
    db,
    sql`with page as materialized (${ids} limit ${limit} offset ${offset})
      select array(select id from page) as ids,
        case when ${isTotalKnown} then ${offset}::bigint + count(*) else ${total} end as total
      from page`,
  )
}

/**
 * A page in the second half of the whole workspace. It reads backwards from the end, so that it skips
 * fewer leads. Returns null if the page is in the first half.
 */
export async function selectPageFromEnd(
  db: Db,
  selection: Selection,
  limit: number,
  offset: number,
): Promise<Page | null> {
  const { space, order } = selection
  const [row] = await run<[{ total: number }]>(db, sql`select ${leadCount(sql`${space}`)} as total`)
  if (!order.reversed || !row || offset < row.total / 2) return null
  // The total is counted again in the same statement, so that it fits the page.
  const rest = sql`(select total - ${offset}::bigint from counted)`
  const page = await readPage(
    db,
    sql`with counted as materialized (select ${leadCount(sql`${space}`)} as total),
      page as materialized (
        select lead.id from lead where ${where(selection)}
        order by ${order.reversed}
        limit least(greatest(${rest}, 0), ${limit}) offset greatest(${rest} - ${limit}, 0))
      select array(select id from page) as ids, (select total from counted) as total`,
  )
  return { ...page, ids: page.ids.reverse() }
}

async function readPage(db: Db, page: Sql): Promise<Page> {
  const [row] = await runUnprepared<[Page]>(db, page)
  return row ?? { ids: [], total: 0 }
}

/** How many ids one row carries. */
const idBatch = 20_000
const idBytes = 16

/** The ids of many leads, 16 bytes each: a million leads take 16 MB. */
export interface ManyIds {
  count: number
  /** Batches of `size` ids; `size` must divide idBatch. */
  batches(size: number): Iterable<string[]>
}

/**
 * The ids of all selected leads, in order. Each row carries many ids, because a million rows would need
 * more memory in the driver than the ids themselves. All ids are read at once, so that no transaction
 * stays open while a slow client reads.
 */
export async function selectAllIds(db: Db, selection: Selection): Promise<ManyIds> {
  const rows = await runUnprepared<{ ids: Buffer }[]>(
    db,
    sql`select string_agg(uuid_send(id), ''::bytea order by place) as ids
      from (
        select lead.id, row_number() over (order by ${selection.order.by}) - 1 as place
        from lead ${selection.order.joins} where ${where(selection)}) placed
      group by place / ${raw(String(idBatch))} order by place / ${raw(String(idBatch))}`,
  )
  const chunks = rows.map(({ ids }) => ids)
  function* batches(size: number) {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += size * idBytes) {
        yield readIds(chunk.subarray(at, at + size * idBytes))
      }
    }
  }
  return { count: chunks.reduce((sum, chunk) => sum + chunk.length / idBytes, 0), batches }
}

function readIds(bytes: Buffer): string[] {
  const ids: string[] = []
  for (let at = 0; at < bytes.length; at += idBytes) {
    const hex = bytes.toString('hex', at, at + idBytes)
    ids.push(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  }
  return ids
}

// Statements of POST /leads/list: the ids of a page and the total, or the ids of all selected leads.
import type { AnsweredField } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { SingleRelation } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { alphabetical, join, raw, run, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { allOf, among, everything } from '../../../filter/compile.ts'
import { isId } from '../../../ids.ts'
import { listedLeads } from '../change/place.sql.ts'
import { columnType } from '../row/columns.ts'
import { leadCount } from '../row/count.sql.ts'

export interface Selection {
  space: string
  /** The filter as a condition (leadCondition). */
  condition: Sql
  order: Order
}

export interface Order {
  /** Joins with the lead table that the order needs. */
  joins: Sql
  /** Ends with the id, so that two leads never have the same place. */
  terms: Term[]
  /** It needs only the lead, so it can be read backward at the same cost. */
  isReversible?: true
  /** It begins with the rank of a related record. Leads without one come last. */
  byRank?: ByRank
  /** The index alone has the ids in this order, if the filter has no condition but the status. */
  idsOfStatus?: Sql
  /** The same if the filter has no condition but one list: the leads that have a status in it come first. */
  idsOfList?: (list: string) => Sql
}

export interface ByRank {
  relation: SingleRelation
  type: SortDirection
  /** The order of leads with the same rank. */
  within: Order
}

export interface Term {
  value: Sql
  type: SortDirection
  nulls?: 'first' | 'last'
}

type SortDirection = 'asc' | 'desc'

const direction = ({ type, nulls }: Term) => raw(`${type}${nulls ? ` nulls ${nulls}` : ''}`)
export const by = (terms: Term[]) =>
  join(
    terms.map((term) => sql`${term.value} ${direction(term)}`),
    ', ',
  )
const reversed = (terms: Term[]): Term[] =>
  terms.map(({ value, type, nulls }) => ({
    value,
    type: type === 'asc' ? 'desc' : 'asc',
    ...(nulls && { nulls: nulls === 'first' ? 'last' : 'first' }),
  }))

/** The terms as columns of a query, and the order by these columns. */
export const keysOf = (terms: Term[]) => ({
  columns: join(
    terms.map(({ value }, at) => sql`${value} as ${raw(`key_${at}`)}`),
    ', ',
  ),
  byColumns: by(terms.map((term, at) => ({ ...term, value: raw(`key_${at}`) }))),
})

/** Holds for the selected leads. */
export const where = ({ space, condition }: Selection) =>
  sql`lead.id_space = ${space} and not lead.is_deleted and (${condition})`

export function fieldTerm(field: AnsweredField, type: SortDirection): Term {
  const column = raw(`lead."${field}"`)
  const value = columnType(field) === 'text' ? sql`${column} ${alphabetical}` : column
  return field === 'created_at' ? { value, type } : { value, type, nulls: 'last' }
}

/** `joins`: what the terms need besides the lead. */
export function orderByTerms(terms: Term[], joins: Sql[] = []): Order {
  return {
    joins: join(joins, ' '),
    terms: [...terms, { value: raw('lead.id'), type: 'asc' }],
    ...(joins.length === 0 && { isReversible: true }),
  }
}

export const newestFirst = orderByTerms([fieldTerm('created_at', 'desc')])
export const oldestFirst = orderByTerms([fieldTerm('created_at', 'asc')])

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
  const stages = sql`lead_status.id_lead, status.id, status."order", lead_status.place
    from lead_status join status
      on status.id_space = ${space} and status.id = lead_status.id_status
    where lead_status.id_space = ${space}`
  const arranged = sql`left join (${listedLeads(space)}) listed on listed.id = stage.id and listed.id_lead =`
  return {
    joins: sql`
      left join (
        select distinct on (lead_status.id_lead) ${stages} and ${countingStatuses(filter)}
        order by lead_status.id_lead, status."order", status.id
      ) stage on stage.id_lead = lead.id
      ${arranged} lead.id::text`,
    // A lead has at most one status in a list. An index has everything that is needed.
    idsOfList: (list) => sql`
      select stage.id_lead as id from (select ${stages} and status.id_list = ${list}) stage
      ${arranged} stage.id_lead::text
      where stage.id_lead not in (select id from lead where id_space = ${space} and is_deleted)
      order by stage."order", stage.id, listed.position nulls last, stage.place`,
    terms: [
      { value: sql`stage."order"`, type: 'asc', nulls: 'last' },
      { value: sql`stage.id`, type: 'asc' },
      { value: sql`listed.position`, type: 'asc', nulls: 'last' },
      { value: sql`stage.place`, type: 'asc' },
      { value: sql`lead.created_at`, type: 'desc' },
      { value: sql`lead.id`, type: 'asc' },
    ],
  }
}

/** The order within one status, as on a board. */
export function orderByPlace(space: string, status: string, type: SortDirection = 'asc'): Order {
  return {
    joins: sql`
      join lead_status placed on placed.id_space = ${space} and placed.id_status = ${status}
        and placed.id_lead = lead.id`,
    terms: [
      { value: sql`placed.place`, type },
      { value: sql`lead.id`, type },
    ],
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
 * A page of the leads that a filter selects, in another order. All of them are found once, which also gives
 * the total.
 */
export function selectPageOfSelected(
  db: Db,
  selection: Selection,
  limit: number,
  offset: number,
): Promise<Page> {
  const { joins, terms } = selection.order
  const { columns, byColumns } = keysOf(terms)
  return readPage(
    db,
    sql`with every as materialized (
        select ${columns}, lead.id from lead ${joins} where ${where(selection)})
      select array(select id from every order by ${byColumns} limit ${limit} offset ${offset}) as ids,
        (select count(*) from every) as total`,
  )
}

/**
 * A page of all leads of the workspace, or of leads that are quickly counted. `total` is a subquery that
 * counts them.
 */
export function selectPage(
  db: Db,
  selection: Selection,
  total: Sql,
  limit: number,
  offset: number,
): Promise<Page> {
  const { order, condition } = selection
  const all = sql`from lead ${order.joins} where ${where(selection)}`
  const isBounded = condition === everything
  const bound = isBounded ? withinBound(order, all, newestFirst.terms, offset + limit) : sql``
  const ids = sql`select lead.id ${all} ${bound} order by ${by(order.terms)}`
  return selectPageOf(db, ids, total, limit, offset)
}

/** How many of the first and of the last leads are the sample, and up to which end of a page it is taken. */
const sample = 2500
const mostBounded = 500

/**
 * Leaves the first leads of the order, and a few more: those that come before the last of as many leads among
 * a sample. Comparing each lead with one value takes less time than sorting all of them, or looking up what is
 * related to them. The sample are the first and the last of `leads`, by an index.
 */
export function withinBound(
  { terms, isReversible }: Order,
  leads: Sql,
  byIndex: Term[],
  count: number,
): Sql {
  const [{ value, type, nulls }] = terms as [Term]
  if (!isReversible || nulls === undefined || count > mostBounded) return sql``
  const some = (terms: Term[]) => sql`(
    select lead.id, ${value} as value ${leads} order by ${by(terms)} limit ${raw(String(sample))})`
  // If the leads are few, the last ones are also among the first. Each of them counts once.
  const bound = sql`(
    select value from (${some(byIndex)} union ${some(reversed(byIndex))}) sampled
    where value is not null order by value ${raw(type)} limit 1 offset ${count - 1})`
  return sql`and (${bound} is null or ${value} ${raw(type === 'asc' ? '<=' : '>=')} ${bound})`
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
 * A page in the second half of the whole workspace, in an order that is reversible. It reads backward from
 * the end, so that it skips fewer leads. Undefined if the page is in the first half.
 */
export async function selectPageFromEnd(
  db: Db,
  selection: Selection,
  limit: number,
  offset: number,
): Promise<Page | undefined> {
  const { space, order } = selection
  const [row] = await run<[{ total: number }]>(db)`select ${leadCount(sql`${space}`)} as total`
  if (!row || offset < row.total / 2) return undefined
  // The total is counted again in the same statement, so that it fits the page.
  const rest = sql`(select total - ${offset}::bigint from counted)`
  const page = await readPage(
    db,
    sql`with counted as materialized (select ${leadCount(sql`${space}`)} as total),
      page as materialized (
        select lead.id from lead where ${where(selection)}
        order by ${by(reversed(order.terms))}
        limit least(greatest(${rest}, 0), ${limit}) offset greatest(${rest} - ${limit}, 0))
      select array(select id from page) as ids, (select total from counted) as total`,
  )
  return { ...page, ids: page.ids.reverse() }
}

export async function readPage(db: Db, page: Sql): Promise<Page> {
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
  const rows = await runUnprepared<{ ids: Buffer }[]>(db)`
    select string_agg(uuid_send(id), ''::bytea order by place) as ids
    from (
      select lead.id, row_number() over (order by ${by(selection.order.terms)}) - 1 as place
      from lead ${selection.order.joins} where ${where(selection)}) placed
    group by place / ${raw(String(idBatch))} order by place / ${raw(String(idBatch))}`
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

/** Which of these leads the condition selects, deleted or not. */
export async function selectMatching(
  db: Db,
  space: string,
  condition: Sql,
  ids: string[],
): Promise<Set<string>> {
  const rows = await runUnprepared<{ id: string }[]>(db)`select lead.id from lead
    where lead.id_space = ${space} and ${allOf([among(raw('lead.id'), ids), condition]) as Sql}`
  return new Set(rows.map(({ id }) => id))
}

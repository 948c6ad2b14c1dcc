// Statements of POST /leads/list without an order: a page of the leads that a filter selects, newest first.
import type { Db } from '../../../db/driver.ts'
import { raw, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { everything } from '../../../filter/compile.ts'
import { by, newestFirst, type Page, readPage, type Selection, where } from './list.sql.ts'

export interface NewestPage {
  selection: Selection
  /** The part of the condition that is about created_at. */
  created: Sql
  /** A subquery that counts the selected leads. */
  total: Sql
  /** These are as in QuickTotal. */
  isOfSelected: boolean
  forFew: Sql | undefined
  sought: Sought | undefined
  limit: number
  offset: number
}

/** Finds leads by an index that is slow even for a few leads. */
export interface Sought {
  /** A query of the ids. Deleted leads may be among them. */
  ids: Sql
  /** The condition for one lead, which does without that index. */
  isOne: Sql
}

const newestLeads = (space: string, most: Sql, created: Sql = everything) => sql`
  select lead.* from lead where lead.id_space = ${space} and not lead.is_deleted and (${created})
  order by ${by(newestFirst.terms)} limit ${most}`

/** If at most one of this many new leads matches, matches are probably few. */
const sampled = 200
/** More ids than this are not kept. */
const mostKept = 10_000

/** The ids are found once, for the page and for the total. Undefined if they are many. */
async function selectFew(
  db: Db,
  { selection: { space }, limit, offset }: NewestPage,
  sought: Sought,
): Promise<Page | undefined> {
  const most = raw(String(mostKept))
  const areRare = sql`(select count(*) from recent) <= 1`
  const areFew = sql`${areRare} and (select count(*) from kept) <= ${most}`
  // A materialized part makes its rows when they are asked for: `matched` none, or up to the limit.
  const page = sql`with recent as materialized (
      select lead.id from (${newestLeads(space, raw(String(sampled)))}) lead where ${sought.isOne}),
    matched as materialized (${sought.ids}),
    kept as materialized (select id from matched where ${areRare} limit ${most} + 1),
    found as materialized (
      select lead.id, lead.created_at from lead
      where lead.id_space = ${space} and not lead.is_deleted and lead.id in (select id from kept)
        and ${areFew})
    select array(
        select id from found lead order by ${by(newestFirst.terms)} limit ${limit} offset ${offset}) as ids,
      case when ${areFew} then (select count(*) from found) end as total`
  const [row] = await runUnprepared<(Page | { total: null })[]>(db, page)
  return row && row.total !== null ? row : undefined
}

/**
 * How many of the newest leads are scanned first, at most: the scan ends when a page is found, and then only
 * the total is left to find. More than people add in a day, because new leads often have nothing yet that
 * filters ask for.
 */
const newest = 20_000
/** At most one for this many selected leads, if their number is known: finding all of few takes less time. */
const selectedForEach = 4

/**
 * PostgreSQL would guess whether to scan the leads from the newest on or to find all selected ones
 * first; a wrong guess takes a second at a million leads. So this scans the newest ones, and if that
 * is not enough, finds all in one go, which also gives the total. OFFSET 0 keeps the condition apart:
 * otherwise PostgreSQL adds its cost to that of each lead that it looks up.
 */
export async function selectNewestPage(db: Db, page: NewestPage): Promise<Page> {
  const { selection, created, total, isOfSelected, forFew, sought, limit, offset } = page
  const few = sought && (await selectFew(db, page, sought))
  if (few) return few
  const { space, condition } = selection
  const wanted = offset + limit
  const order = by(newestFirst.terms)
  const isEnough = sql`(select count(*) from early) = ${wanted}`
  const ids = (from: string) =>
    sql`array(select id from ${raw(from)} lead order by ${order} limit ${limit} offset ${offset})`
  const counted = sql`(select total from counted)`
  const most = isOfSelected
    ? sql`least(${raw(String(newest))}, ${counted} / ${raw(String(selectedForEach))})`
    : raw(String(newest))
  return readPage(
    db,
    sql`with ${isOfSelected ? sql`counted as materialized (select ${total} as total),` : sql``}
      early as materialized (
        select * from (
          select lead.id, lead.created_at from (${newestLeads(space, most, created)}) lead
          where (${forFew ?? condition}) order by ${order} limit ${wanted}) lead
        where ${most} >= ${wanted}::bigint),
      every as materialized (
        select * from (
          select lead.id, lead.created_at from lead where ${where(selection)} offset 0) lead
        where not ${isEnough})
      select case when ${isEnough} then ${ids('early')} else ${ids('every')} end as ids,
        ${
          isOfSelected
            ? counted
            : sql`case when ${isEnough} then ${total} else (select count(*) from every) end`
        } as total`,
  )
}

// The order by status or by owner: a lead has the rank of the first of its records.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadRelations, type SingleRelation } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { alphabetical, join, raw, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { everything } from '../../../filter/compile.ts'
import { type ByRank, by, countingStatuses, keysOf, type Term, withinBound } from './list.sql.ts'

const tableOf = (name: SingleRelation) => ({
  table: raw(leadRelations[name].join),
  other: raw(leadRelations[name].column),
})

/** The records are few, so they are ranked once. */
function ranks(space: string, name: SingleRelation): Sql {
  const { record, sort } = leadRelations[name]
  const by = sort === 'name' ? sql`name ${alphabetical}` : raw(`"${sort}"`)
  return sql`
    select id, row_number() over (order by ${by}, id) as rank from ${raw(record)} where id_space = ${space}`
}

/** Joins each lead with its rank: all of them at once, or one by one those that a filter selects. */
export function joinRanks(space: string, name: SingleRelation, filter: LeadFilter): Sql {
  const { table, other } = tableOf(name)
  const only = name === 'status' ? countingStatuses(filter) : sql`true`
  if (Object.keys(filter).length > 0) {
    const records = sql`array(select id from (${ranks(space, name)}) ranked order by rank)`
    return sql`
      left join lateral (
        select min(array_position(${records}, ${table}.${other})) as rank from ${table}
        where ${table}.id_space = ${space} and ${table}.id_lead = lead.id and ${only}
      ) ${raw(`by_${name}`)} on true`
  }
  return sql`
    left join (
      select ${table}.id_lead, min(ranked.rank) as rank
      from ${table} join (${ranks(space, name)}) ranked on ranked.id = ${table}.${other}
      where ${table}.id_space = ${space} and ${only}
      group by ${table}.id_lead) ${raw(`by_${name}`)} on ${raw(`by_${name}`)}.id_lead = lead.id`
}

interface RankedRecord {
  id: string
  /** A lead that has one of these has another rank. */
  lower: string[]
  /** Too few leads were found among as many as are looked at. */
  isCut: boolean
}

/** So many leads of a record are looked at for those that a filter selects. */
const mostLooked = 20_000

/** The leads of a record, by id, or the first of them. */
const leadsOf = (space: string, name: SingleRelation, id: Sql, condition: Sql): Sql => {
  const { table, other } = tableOf(name)
  const all = sql`from ${table} where id_space = ${space} and ${other} = ${id}`
  return condition === everything
    ? sql`(select id_lead ${all})`
    : sql`(select id_lead ${all} order by id_lead limit ${mostLooked})`
}

/**
 * The records that the first `wanted` leads have their ranks from, in order. Reads one record after another, and at
 * most as many leads of each.
 */
function selectFirstRecords(
  db: Db,
  space: string,
  condition: Sql,
  { relation, type }: ByRank,
  wanted: number,
): Promise<RankedRecord[]> {
  const { table, other } = tableOf(relation)
  const hasMore = sql`exists (
    select from ${table} where id_space = ${space} and ${other} = ranked.id offset ${mostLooked})`
  const isUp = type === 'asc'
  return runUnprepared<RankedRecord[]>(db)`
    with recursive ranked as materialized (${ranks(space, relation)}),
    read (rank, before, found, is_cut) as (
      select ${isUp ? sql`0` : sql`(select count(*) + 1 from ranked)`}::bigint, 0::bigint, 0::bigint, false
      union all
      select ranked.rank, read.found, read.found + own.found,
        read.found + own.found < ${wanted} and ${condition === everything ? sql`false` : hasMore}
      from read join ranked on ranked.rank = read.rank ${raw(isUp ? '+' : '-')} 1,
        lateral (
          select count(*) as found from (
            select from ${leadsOf(space, relation, sql`ranked.id`, condition)} related
            where exists (
                select from lead
                where lead.id_space = ${space} and lead.id = related.id_lead and not lead.is_deleted
                  and (${condition})
                offset 0)
              and not exists (
                select from ${table} also join ranked lower on lower.id = also.${other}
                where also.id_space = ${space} and also.id_lead = related.id_lead
                  and lower.rank < ranked.rank
                offset 0)
            limit ${wanted}) first) own
      where read.found < ${wanted} and not read.is_cut)
    select ranked.id, array(select id from ranked lower where lower.rank < ranked.rank) as lower,
      read.is_cut as "isCut"
    from read join ranked using (rank) where read.found > read.before or read.is_cut
    order by rank ${raw(type)}`
}

/** An index has the leads of a record in this order. */
const byLead: Term[] = [{ value: raw('related.id_lead'), type: 'asc' }]

/** The leads of more records than this are not read one record after another. */
const mostRecords = 20

/**
 * A query of the ids of the leads of the first ranks, in order: `wanted` of them, if so many leads have a rank.
 * Ranking all leads takes four times as long. Undefined if it would have to read many records.
 */
export async function idsByRank(
  db: Db,
  space: string,
  condition: Sql,
  order: ByRank,
  wanted: number,
): Promise<Sql | undefined> {
  const records = await selectFirstRecords(db, space, condition, order, wanted)
  if (records.length === 0 || records.length > mostRecords) return undefined
  if (records.some(({ isCut }) => isCut)) return undefined
  const { terms, joins } = order.within
  const { table, other } = tableOf(order.relation)
  const { columns, byColumns } = keysOf(terms)
  const parts = records.map(({ id, lower }, at) => {
    // OFFSET 0: otherwise PostgreSQL would read all of them, and does not expect that any lead is left.
    const isLower = sql`exists (
      select from ${table} also
      where also.id_space = ${space} and also.id_lead = related.id_lead
        and also.${other} = any(${lower}::uuid[]) offset 0)`
    const isFirst = lower.length > 0 ? sql`and not ${isLower}` : sql``
    if (condition !== everything) {
      return sql`(
        select related.id_lead as id, ${at}::int as place, related.id_lead as key_0
        from ${leadsOf(space, order.relation, sql`${id}`, condition)} related
        where exists (
            select from lead
            where lead.id_space = ${space} and lead.id = related.id_lead and not lead.is_deleted
              and (${condition})
            offset 0)
          ${isFirst}
        order by related.id_lead limit ${wanted})`
    }
    const leads = sql`from ${table} related
      join lead on lead.id_space = ${space} and lead.id = related.id_lead ${joins}
      where related.id_space = ${space} and related.${other} = ${id} and not lead.is_deleted
        ${isFirst}`
    return sql`(
      select lead.id, ${at}::int as place, ${columns} ${leads}
        ${withinBound(order.within, leads, byLead, wanted)}
      order by ${by(terms)} limit ${wanted})`
  })
  return sql`select id from (${join(parts, ' union all ')}) lead order by place, ${byColumns}`
}

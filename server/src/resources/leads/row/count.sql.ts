// Counts leads. A counter holds the number of leads of each workspace; every statement that creates or
// deletes leads updates it.
import type { Db } from '../../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../../db/sql.ts'

/**
 * The counter has several rows. Usually more than there are concurrent writers, so that they rarely
 * wait for the same row.
 */
const slots = 64

/** Call it last in a transaction: other writers of the same slot wait until it ends. */
export async function changeCount(db: Db, space: string, by: number): Promise<void> {
  if (by !== 0) await run(db, addNumber(space, by))
}

/** The statement of `changeCount`. */
export function addNumber(space: string, leads: number): Sql {
  return sql`insert into lead_count (id_space, slot, count)
    values (${space}, pg_backend_pid() % ${raw(String(slots))}, ${leads})
    on conflict (id_space, slot) do update set count = lead_count.count + excluded.count`
}

/** A subquery that returns one number: all leads of the workspace. */
export function leadCount(space: Sql): Sql {
  return sql`(select coalesce(sum(count), 0)::bigint from lead_count where id_space = ${space})`
}

/** Rows of another table that select leads. */
export interface RelatedRows {
  /** A query of their id_lead. */
  ids: Sql
  /** No lead is there twice. */
  isOneEach: boolean
}

const oneEach = ({ ids, isOneEach }: RelatedRows) =>
  isOneEach ? ids : sql`${ids} group by id_lead`

/**
 * The same for leads with such rows in another table. Deleted leads keep their rows: they are counted too,
 * and subtracted. With NOT EXISTS, PostgreSQL sometimes puts all rows into a hash table, not the few deleted
 * leads.
 */
export function relatedCount(space: string, rows: RelatedRows): Sql {
  return sql`(
    select count(*) - count(deleted.id) from (${oneEach(rows)}) related
    left join lead deleted
      on deleted.id_space = ${space} and deleted.id = related.id_lead and deleted.is_deleted)`
}

/** The same for the leads that have any row in a table. They are many, so counting the deleted ones is faster. */
export function relatedToAny(space: string, table: string): Sql {
  const rows = sql`from ${raw(table)} where id_space = ${space}`
  return sql`((select count(distinct id_lead) ${rows}) - (
    select count(*) from lead
    where lead.id_space = ${space} and lead.is_deleted and lead.id in (select id_lead ${rows})))`
}

/** The same for the leads that a condition selects. */
export function selectedCount(space: string, condition: Sql): Sql {
  return sql`(
    select count(*) from lead
    where lead.id_space = ${space} and not lead.is_deleted and (${condition}))`
}

/**
 * The same for the leads that a condition selects, and those with rows in another table. In two parts, because PostgreSQL scans the leads on all cores only if the condition is on them alone. This takes a
 * third to three quarters of the time.
 */
export function countInParts(space: string, condition: Sql, rows: RelatedRows): Sql {
  return sql`(${selectedCount(space, condition)} + (
    select count(*) from (${oneEach(rows)}) related
    join lead on lead.id_space = ${space} and lead.id = related.id_lead
    where not lead.is_deleted and (${condition}) is not true))`
}

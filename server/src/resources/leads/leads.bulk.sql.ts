// Changing many leads at once. The leads are picked and locked first, in one order for everybody,
// so that bulk operations at the same time wait for each other and never deadlock; then each
// statement works on the whole set.
import type { Db } from '../../db/connect.ts'
import { join, raw, run, runPlanned, type Sql, sql } from '../../db/sql.ts'
import { typed } from './leads.sql.ts'

/** A set of locked leads: as one text, which travels back to PostgreSQL as it came. */
export interface Picked {
  count: number
  ids: string
}

export async function pickLeads(db: Db, space: string, condition: Sql): Promise<Picked> {
  const selected = sql`lead.id_space = ${space} and not lead.is_deleted and (${condition})`
  const locked = await collect(
    db,
    sql`select lead.id from lead where ${selected} order by lead.id for no key update of lead`,
  )
  // Whoever had to wait for a lead has not seen what happened to its lists and tags meanwhile: only
  // a statement that begins after the wait does.
  return locked.count === 0
    ? locked
    : collect(
        db,
        // As a subquery: beside another condition, an array may be gone through for each row.
        sql`select lead.id from lead
          where lead.id in (select unnest(${locked.ids}::uuid[])) and ${selected}`,
      )
}

async function collect(db: Db, leads: Sql): Promise<Picked> {
  const [row] = await runPlanned<[Picked]>(
    db,
    sql`select count(*)::int as count, coalesce(array_agg(id), '{}')::text as ids
      from (${leads}) picked`,
  )
  return row ?? { count: 0, ids: '{}' }
}

const isPicked = (ids: string) => sql`= any(${ids}::uuid[])`

/** Sets columns; attributes merge, and those set to null go. */
export async function updateLeads(
  db: Db,
  space: string,
  ids: string,
  fields: Record<string, unknown>,
  attributes: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const sets = Object.entries({ ...fields, updated_at: now.toISOString() }).map(
    ([name, value]) => sql`${raw(`"${name}"`)} = ${typed(name, value)}`,
  )
  const cleared = Object.keys(attributes).filter((id) => attributes[id] === null)
  if (Object.keys(attributes).length > 0) {
    sets.push(sql`attributes =
      (attributes || ${JSON.stringify(attributes)}::text::jsonb) - ${cleared}::text[]`)
  }
  await run(
    db,
    sql`update lead set ${join(sets, ', ')} where id_space = ${space} and id ${isPicked(ids)}`,
  )
}

/** The tables that relate leads to other records. */
const relationTables = {
  lists: ['lead_list', 'id_list'],
  tags: ['lead_tag', 'id_tag'],
  owners: ['lead_owner', 'id_member'],
  campaigns: ['lead_campaign', 'id_campaign'],
  status: ['lead_status', 'id_status'],
} as const

export type Relation = keyof typeof relationTables

/** Answers how many of the leads did not have it yet. */
export async function connect(
  db: Db,
  space: string,
  ids: string,
  relation: Exclude<Relation, 'status'>,
  records: string[],
): Promise<number> {
  const [table, column] = relationTables[relation]
  const rows = await run(
    db,
    sql`with added as (
        insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
        select ${space}::uuid, id_lead, id_record
        from unnest(${ids}::uuid[]) as id_lead, unnest(${records}::uuid[]) as id_record
        on conflict do nothing
        returning id_lead)
      select count(distinct id_lead)::int as count from added`,
  )
  return Number(rows[0]?.count ?? 0)
}

/** Puts the leads into these statuses, each in the place of another of its list. */
export async function connectStatuses(
  db: Db,
  space: string,
  ids: string,
  statuses: { id: string; id_list: string | null }[],
): Promise<void> {
  const lists = statuses.flatMap(({ id_list }) => (id_list === null ? [] : [id_list]))
  if (lists.length > 0) await connect(db, space, ids, 'lists', lists)
  await run(
    db,
    sql`insert into lead_status (id_space, id_lead, id_status, id_list)
      select ${space}::uuid, id_lead, wanted.id, wanted.id_list
      from unnest(${ids}::uuid[]) as id_lead,
        unnest(${statuses.map(({ id }) => id)}::uuid[], ${statuses.map(({ id_list }) => id_list)}::uuid[])
          as wanted (id, id_list)
      on conflict (id_space, id_lead, id_group) do update set id_status = excluded.id_status`,
  )
}

/** Answers how many of the leads had one. Leaving a list drops the statuses of that list. */
export async function disconnect(
  db: Db,
  space: string,
  ids: string,
  relation: Relation,
  records: string[],
  which: 'these' | 'all others' = 'these',
): Promise<number> {
  const [table, column] = relationTables[relation]
  const matches =
    which === 'these' ? sql`= any(${records}::uuid[])` : sql`<> all(${records}::uuid[])`
  const rows = await run(
    db,
    sql`with gone as (
        delete from ${raw(table)}
        where id_space = ${space} and id_lead ${isPicked(ids)} and ${raw(column)} ${matches}
        returning id_lead)
      select count(distinct id_lead)::int as count from gone`,
  )
  return Number(rows[0]?.count ?? 0)
}

export async function markDeleted(db: Db, space: string, ids: string, now: Date): Promise<void> {
  await run(
    db,
    sql`update lead
      set is_deleted = true, is_deleted_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
      where id_space = ${space} and id ${isPicked(ids)}`,
  )
}

/** When a list goes, leads leave it. */
export async function emptyList(db: Db, space: string, list: string): Promise<void> {
  await db`delete from lead_list where id_space = ${space} and id_list = ${list}`
}

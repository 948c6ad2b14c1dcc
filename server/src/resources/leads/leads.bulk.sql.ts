// Changing many leads at once. The leads are selected and locked first, in the order of their ids, so
// that concurrent bulk operations wait for each other and never deadlock. Then each statement works on
// the whole set.
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { join, jsonb, raw, run, runUnprepared, type Sql, sql } from '../../db/sql.ts'
import { typed } from './leads.columns.ts'
import { defaultPlaceOfLead, replaceStatus } from './leads.place.sql.ts'

/** A set of locked leads. The ids are one text: the next statement sends it back without parsing it. */
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
  // While the statement waited for a lock, another request may have changed the lists or tags of that
  // lead. The statement does not see this; only a new statement does. So select again.
  return locked.count === 0
    ? locked
    : collect(
        db,
        // As a subquery, because PostgreSQL may scan an array once per row if another condition is next
        // to it.
        sql`select lead.id from lead
          where lead.id in (select unnest(${locked.ids}::uuid[])) and ${selected}`,
      )
}

async function collect(db: Db, leads: Sql): Promise<Picked> {
  const [row] = await runUnprepared<[Picked]>(
    db,
    sql`select count(*)::int as count, coalesce(array_agg(id), '{}')::text as ids
      from (${leads}) picked`,
  )
  return row ?? { count: 0, ids: '{}' }
}

const isPicked = (ids: string) => sql`= any(${ids}::uuid[])`

/** Sets columns. Attributes merge; those set to null are removed. */
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
      (attributes || ${jsonb(attributes)}) - ${cleared}::text[]`)
  }
  await run(
    db,
    sql`update lead set ${join(sets, ', ')} where id_space = ${space} and id ${isPicked(ids)}`,
  )
}

/** Adds the records to the leads. Returns how many leads did not have all of them before. */
export async function connect(
  db: Db,
  space: string,
  ids: string,
  relation: Exclude<LeadRelation, 'status'>,
  records: string[],
): Promise<number> {
  const { join: table, column } = leadRelations[relation]
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

/** Puts the leads into these statuses. Each replaces another status of its list. */
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
    sql`insert into lead_status (id_space, id_lead, id_status, id_list, place)
      select ${space}::uuid, lead.id, wanted.id, wanted.id_list, ${defaultPlaceOfLead}
      from unnest(${ids}::uuid[]) as id_lead
      join lead on lead.id_space = ${space} and lead.id = id_lead,
        unnest(${statuses.map(({ id }) => id)}::uuid[], ${statuses.map(({ id_list }) => id_list)}::uuid[])
          as wanted (id, id_list)
      ${replaceStatus}`,
  )
}

/**
 * Removes the records from the leads. Returns how many leads had one. Leaving a list drops its
 * statuses.
 */
export async function disconnect(
  db: Db,
  space: string,
  ids: string,
  relation: LeadRelation,
  records: string[],
  which: 'these' | 'all others' = 'these',
): Promise<number> {
  const { join: table, column } = leadRelations[relation]
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

/** Removes all leads from a list that is being deleted. */
export async function emptyList(db: Db, space: string, list: string): Promise<void> {
  await run(db, sql`delete from lead_list where id_space = ${space} and id_list = ${list}`)
}

// Leads that other records belong to: whether they are there, locked or touched.
import type { Db } from '../../db/driver.ts'
import { run, type Sql, sql } from '../../db/sql.ts'

/** The lead with this id is not deleted, and the condition holds for it. */
export function isLiveLead(space: string, id: Sql, condition: Sql = sql`true`): Sql {
  return sql`exists (
    select from lead
    where lead.id_space = ${space} and lead.id = ${id} and not lead.is_deleted and (${condition}))`
}

/** Returns which of these leads are not deleted. */
export async function selectLiveLeads(db: Db, space: string, ids: string[]): Promise<Set<string>> {
  const rows = await run<{ id: string }[]>(
    db,
    sql`select id from lead
      where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The lead, kept from being deleted until the transaction ends; undefined when there is none. */
export async function lockLead(db: Db, space: string, id: string): Promise<string | undefined> {
  const [row] = await run<{ id: string }[]>(
    db,
    sql`select id from lead where id_space = ${space} and id = ${id} and not is_deleted for share`,
  )
  return row?.id
}

/** Moves the time of the last interaction, never backwards. Returns false when there is no such lead. */
export async function touchLead(db: Db, space: string, id: string, now: Date): Promise<boolean> {
  const rows = await run(
    db,
    sql`update lead set last_interaction_at = greatest(last_interaction_at, ${now}::timestamptz)
      where id_space = ${space} and id = ${id} and not is_deleted
      returning id`,
  )
  return rows.length > 0
}

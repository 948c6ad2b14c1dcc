// Whether leads exist and are not deleted, the lock of those that notes and reminders belong to, and the
// time of their last interaction.
import { leadName, nameFields } from '@rapport/contract/leads/name'
import type { Db } from '../../../db/driver.ts'
import { columnNames, run, type Sql, sql } from '../../../db/sql.ts'
import { survivorOf } from './merged.sql.ts'

/** The lead with this id is not deleted, and the condition holds for it. */
export function leadExists(space: string, id: Sql, condition: Sql = sql`true`): Sql {
  return sql`exists (
    select from lead
    where lead.id_space = ${space} and lead.id = ${id} and not lead.is_deleted and (${condition}))`
}

/**
 * The lead with this id is deleted. For lists of what belongs to leads: deleted leads are few, and have an
 * index of their own.
 */
export function isDeletedLead(space: string, id: Sql): Sql {
  return sql`exists (
    select from lead where lead.id_space = ${space} and lead.id = ${id} and lead.is_deleted)`
}

/** A lead has this id, deleted or not. */
export async function idIsTaken(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await run(db)`select 1 from lead where id_space = ${space} and id = ${id}`
  return rows.length > 0
}

/** Returns which of these leads are not deleted. */
export async function selectExistingLeads(
  db: Db,
  space: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await run<{ id: string }[]>(db)`select id from lead
    where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Does it with the lead, or with the one that it was merged into. `work` returns undefined if the lead is not there.
 * Existing leads cost nothing here.
 */
export async function onLead<T>(
  db: Db,
  space: string,
  id: string,
  work: (id: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const done = await work(id)
  if (done !== undefined) return done
  const survivor = await survivorOf(db, space, id)
  // It may be merged in the meantime, too.
  return survivor === undefined ? undefined : onLead(db, space, survivor, work)
}

/** Returns the id of the lead that the statement, with a returning clause, finds. */
const findOne = (db: Db, space: string, id: string, statement: (id: string) => Sql) =>
  onLead(db, space, id, async (id) => {
    const [row] = await run<{ id: string }[]>(db, statement(id))
    return row?.id
  })

/**
 * Locks the lead, or the one that it was merged into, so that it cannot be deleted until the transaction ends.
 * Returns its id if it exists.
 */
export const lockLead = (db: Db, space: string, id: string): Promise<string | undefined> =>
  findOne(
    db,
    space,
    id,
    (id) =>
      sql`select id from lead where id_space = ${space} and id = ${id} and not is_deleted for share`,
  )

/** Sets the time of the last interaction, but never back. Returns the id of the lead, if it exists, as in lockLead. */
export const touchLead = (
  db: Db,
  space: string,
  id: string,
  at: string,
): Promise<string | undefined> =>
  findOne(
    db,
    space,
    id,
    (id) =>
      sql`update lead set last_interaction_at = greatest(last_interaction_at, ${at}::timestamptz)
        where id_space = ${space} and id = ${id} and not is_deleted
        returning id`,
  )

export interface NamedLead {
  id: string
  name: string
  is_deleted: boolean
}

/** The names of these leads, also of deleted ones. */
export async function selectNames(db: Db, space: string, ids: string[]): Promise<NamedLead[]> {
  if (ids.length === 0) return []
  const rows = await run<(Omit<NamedLead, 'name'> & Parameters<typeof leadName>[0])[]>(
    db,
    sql`select ${columnNames(['id', 'is_deleted', ...nameFields])} from lead
      where id_space = ${space} and id = any(${ids}::uuid[])`,
  )
  return rows.map((lead) => ({ id: lead.id, name: leadName(lead), is_deleted: lead.is_deleted }))
}

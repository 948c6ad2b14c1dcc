// Changing many leads at once. The leads are selected and locked first, in the order of their ids, so
// that concurrent bulk operations wait for each other and never deadlock. Then each statement works on
// the whole set.
import type { Db } from '../../../db/driver.ts'
import { join, jsonb, raw, run, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journalIds, runJournaled } from '../../../feed/journal.sql.ts'
import { allOf, among } from '../../../filter/compile.ts'
import { forgetKeys, refreshKeys } from '../duplicates/keys.sql.ts'
import { typed } from '../row/columns.ts'
import { alikeJournal, attributePair, type FieldPair, fieldPair } from './journal.sql.ts'
import { refreshDerived } from './refresh.ts'

/** A set of locked leads. The ids are one text: the next statement sends it back without parsing it. */
export interface Picked {
  count: number
  ids: string
}

/** Leads that were merged are not among the deleted ones: they are part of others. */
export const isOf = (of: 'live' | 'deleted') =>
  of === 'live' ? sql`not lead.is_deleted` : sql`lead.is_deleted and lead.merged_into is null`

/** Selects and locks leads. */
export async function pickLeads(
  db: Db,
  space: string,
  condition: Sql,
  of: 'live' | 'deleted' = 'live',
): Promise<Picked> {
  // Found before they are locked, because PostgreSQL uses one core only for a statement that locks.
  const found = await findLeads(db, space, condition, of)
  if (found.count === 0) return found
  const locked = await collect(
    db,
    sql`select lead.id from lead
      where lead.id_space = ${space} and ${isPicked(found.ids)} and ${isOf(of)}
      order by lead.id for no key update of lead`,
  )
  // Since the leads were found, another request may have changed them, their lists or their tags. Only a
  // new statement sees this. So select again, among the locked ones.
  return locked.count === 0
    ? locked
    : findLeads(db, space, allOf([isPicked(locked.ids), condition]) as Sql, of)
}

/** Selects leads without locking them. */
export function findLeads(
  db: Db,
  space: string,
  condition: Sql,
  of: 'live' | 'deleted' = 'live',
): Promise<Picked> {
  return collect(
    db,
    sql`select lead.id from lead where lead.id_space = ${space} and ${isOf(of)} and (${condition})`,
  )
}

async function collect(db: Db, leads: Sql): Promise<Picked> {
  const [row] = await runUnprepared<[Picked]>(db)`
    select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
    from (${leads}) picked`
  return row ?? { count: 0, ids: '{}' }
}

const isPicked = (ids: string) => among(sql`lead.id`, ids)

/** Sets columns. Attributes merge; those set to null are removed. Returns how many leads changed. */
export async function updatePicked(
  db: Db,
  by: Author,
  ids: string,
  fields: Record<string, unknown>,
  attributes: Record<string, unknown>,
): Promise<number> {
  const pairs: FieldPair[] = [
    ...Object.entries(fields).map(([name, value]) => fieldPair(name, typed(name, value))),
    ...Object.entries(attributes).map(([id, value]) => attributePair(id, jsonb(value))),
  ]
  const picked = sql`lead.id_space = ${by.space} and ${isPicked(ids)}`
  const now = by.now.toISOString()
  const sets = Object.entries({ ...fields, updated_at: now }).map(
    ([name, value]) => sql`${raw(`"${name}"`)} = ${typed(name, value)}`,
  )
  const cleared = Object.keys(attributes).filter((id) => attributes[id] === null)
  if (Object.keys(attributes).length > 0) {
    sets.push(sql`attributes =
      (attributes || ${jsonb(attributes)}) - ${cleared}::text[]`)
  }
  const updated = sql`updated as (update lead set ${join(sets, ', ')} where ${picked})`
  const changed = await runJournaled(db, [], alikeJournal(by, pairs, picked), [updated])
  await refreshDerived(db, by.space, Object.keys(fields), sql`${ids}::uuid[]`)
  return changed
}

/** Marks leads as deleted. The counter is the caller's to change. */
export async function markDeleted(db: Db, by: Author, ids: string): Promise<void> {
  await journalIds(db, by, 'deleted', idsOf(ids))
  const now = by.now.toISOString()
  await run(db)`update lead set is_deleted = true, is_deleted_at = ${now}, updated_at = ${now}
    where id_space = ${by.space} and ${isPicked(ids)}`
  await forgetKeys(db, by.space, sql`${ids}::uuid[]`)
}

/** For `journalIds`: one row with all ids. */
const idsOf = (ids: string) =>
  sql`select ${ids}::uuid[] as ids, null::jsonb as old, null::jsonb as new`

/**
 * Restores deleted leads. They give up their claim on a company name (search/match.ts), which another
 * company may have by now.
 */
export async function markRestored(db: Db, by: Author, ids: string): Promise<void> {
  await journalIds(db, by, 'restored', idsOf(ids))
  await run(db)`update lead set is_deleted = false, is_deleted_at = null, company_claim = null,
      updated_at = ${by.now.toISOString()}
    where id_space = ${by.space} and ${isPicked(ids)}`
  await refreshKeys(db, by.space, sql`${ids}::uuid[]`)
}

/** Removes all leads from a list that is being deleted. */
export async function emptyList(db: Db, space: string, list: string): Promise<void> {
  await run(db)`delete from lead_list where id_space = ${space} and id_list = ${list}`
}

// Leads that were merged into others: their ids lead to those, and they are parts of them.
import type { Db } from '../../../db/driver.ts'
import { run, type Sql, sql } from '../../../db/sql.ts'
import { isId } from '../../../ids.ts'

/** The lead that another one was merged into. */
interface Survivor {
  id: string
  is_deleted: boolean
}

/** Those of these leads that were merged, and what they were merged into. */
export async function selectSurvivors(
  db: Db,
  space: string,
  ids: string[],
): Promise<Map<string, Survivor>> {
  if (ids.length === 0) return new Map()
  const rows = await run<(Survivor & { merged: string })[]>(db)`
    with recursive chain (merged, id, merged_into, is_deleted) as (
      select id, id, merged_into, is_deleted from lead
      where id_space = ${space} and id = any(${ids}::uuid[]) and merged_into is not null
      union
      select chain.merged, lead.id, lead.merged_into, lead.is_deleted from chain
      join lead on lead.id_space = ${space} and lead.id = chain.merged_into)
    select merged, id, is_deleted from chain where merged_into is null`
  return new Map(rows.map(({ merged, ...survivor }) => [merged, survivor]))
}

/** The lead that this one was merged into. It may be deleted. */
export const survivorOf = async (db: Db, space: string, id: string) =>
  (await selectSurvivors(db, space, [id])).get(id.toLowerCase())?.id

/** Says where ids that a request names lead to: to the lead that theirs was merged into, or else to their own. */
export async function followMerged(
  db: Db,
  space: string,
  ids: string[],
): Promise<(id: string) => string> {
  const survivors = await selectSurvivors(db, space, ids.filter(isId))
  return (id) => survivors.get(id.toLowerCase())?.id ?? id
}

/**
 * A query of these leads with those that were merged into them, directly or through others: id, part. Each is a part of
 * itself. `ids` is an array, in SQL.
 */
export const partsOf = (space: string, ids: Sql): Sql => sql`
  with recursive whole (id, part) as (
    select id, id from unnest(${ids}) as given (id)
    union
    select whole.id, lead.id from whole
    join lead on lead.id_space = ${space} and lead.merged_into = whole.part)
  select id, part from whole`

/** The lead, and those that were merged into it. */
export async function selectParts(db: Db, space: string, id: string): Promise<string[]> {
  const rows = await run<{ part: string }[]>(db, partsOf(space, sql`${[id]}::uuid[]`))
  return rows.map(({ part }) => part)
}

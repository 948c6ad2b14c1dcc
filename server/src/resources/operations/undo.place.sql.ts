// Undoes the move of a lead on a board: it goes back to where it was.
import type { Db } from '../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'
import { concernsAny } from '../../feed/concerns.sql.ts'
import { selectReferences } from '../../references/references.sql.ts'
import {
  type Column,
  journalPlace,
  lockColumn,
  type Spot,
  selectPlace,
  selectSpot,
  writePlace,
} from '../leads/change/place.sql.ts'
import type { OperationAuthor } from './store/operation.sql.ts'
import { changedSince, type Done, keptPart, selectChain, valuesOf } from './undo.sql.ts'

/** A lead that was moved. */
export interface Moved {
  lead: string
  /** Where it was. Null: on no place of this board. */
  spot: Spot | null
  /** The column of this spot, or else of the one that it was moved to. */
  column: Column
}

/** Also locks the columns: before the leads, as all transactions do. */
export async function lockPlaces(db: Db, by: OperationAuthor, of: Done): Promise<Moved[]> {
  const { space, now } = by
  const rows = await run<{ lead: string; spot: Spot | null; other: Spot | null }[]>(db)`
    select unnest(ids) as lead, old -> 'place' as spot, new -> 'place' as other
    from ${valuesOf(space, of)}`
  const moved: Moved[] = []
  for (const { lead, spot, other } of rows) {
    const status = (spot ?? other)?.status
    const [found] = status
      ? await selectReferences(db, space, [{ kind: 'status', id: status }])
      : []
    if (!found) continue
    const column = { space, status: found.id, id_list: found.id_list }
    await lockColumn(db, column, now)
    moved.push({ lead, spot, column })
  }
  return moved
}

/** Where the leads are before anything is undone. They are locked. */
export async function selectSpots(db: Db, moved: Moved[]): Promise<Map<Moved, Spot | null>> {
  const spots = new Map<Moved, Spot | null>()
  for (const each of moved) spots.set(each, await selectSpot(db, each.column, each.lead))
  return spots
}

/**
 * Puts the leads back. `spots`: where they were before the undo. `sinceSeq`: the number of the newest event when
 * they were moved.
 */
export async function undoPlaces(
  db: Db,
  by: OperationAuthor,
  { operation }: Done,
  spots: Map<Moved, Spot | null>,
  sinceSeq: number,
): Promise<void> {
  const own = [...(await selectChain(db, by.space, operation)), by.operation.id]
  for (const [{ lead, spot, column }, from] of spots) {
    const now = await selectSpot(db, column, lead)
    const next = spot?.before ? await selectPlace(db, column, spot.before) : undefined
    const isPossible =
      now?.status === spot?.status &&
      (!spot?.before || next !== undefined) &&
      !(await wasMoved(db, by.space, lead, { operation, sinceSeq, own }))
    if (isPossible) {
      if (spot) await writePlace(db, column, lead, next)
      await journalPlace(db, by, lead, from, spot)
    } else {
      const kept = keptPart('kept_place', by, changedSince, sql`select ${lead}::uuid as id`)
      await run(db)`with ${kept} select 1`
    }
  }
}

/** Whether the lead was moved, or got another status, since the operation and by none of `own`. */
async function wasMoved(
  db: Db,
  space: string,
  lead: string,
  { operation, sinceSeq, own }: { operation: string; sinceSeq: number; own: string[] },
): Promise<boolean> {
  const concerned = concernsAny(sql`array[${lead}::uuid]`)
  const moves = (table: string, condition: Sql) => sql`
    select 1 from ${raw(table)}
    where id_space = ${space} and ${condition} and ${concerned}
      and changed ?| array['place', 'status']
      and (id_operation is null or id_operation <> all(${own}::uuid[]))`
  // Later than those of the operation itself: when it began, older events of the lead may have had no number yet.
  // The events of one lead are numbered in the order in which they were written.
  const rows = await run(db)`with numbered as (
      select max(seq) as seq from event
      where id_space = ${space} and seq > ${sinceSeq} and id_operation = ${operation} and ${concerned}),
    waiting as (
      select max(written_at) as written_at from event_new
      where id_space = ${space} and id_operation = ${operation} and ${concerned})
    ${moves(
      'event',
      sql`seq > coalesce((select numbered.seq from numbered), ${sinceSeq})
        and (select waiting.written_at from waiting) is null`,
    )}
    union all
    ${moves('event_new', sql`written_at > coalesce((select waiting.written_at from waiting), '-infinity')`)}
    limit 1`
  return rows.length > 0
}

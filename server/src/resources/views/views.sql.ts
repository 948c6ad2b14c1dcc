// Statements about saved views.
import { StoredView } from '@rapport/contract/views'
import type { Db } from '../../db/driver.ts'
import { columnsOf, insertLast, type RowOf } from '../../db/rows.ts'
import { assignments, jsonb, run, runOne, sql } from '../../db/sql.ts'

export type ViewRow = RowOf<typeof StoredView, 'id_list' | 'id_member'>
const columns = columnsOf(StoredView)

/** A view as a member sees it. */
export type OwnViewRow = ViewRow & { favorite: boolean }

const isFavorite = (space: string, member: string) => sql`exists (
  select 1 from view_favorite where view_favorite.id_space = ${space}
    and view_favorite.id_view = saved_view.id and view_favorite.id_member = ${member}) as favorite`

const jsonColumns = ['filter', 'orderBy', 'columns'] as const

/** The columns with their JSON in the form that the database takes. */
function stored(view: ViewChange) {
  const json = jsonColumns
    .filter((name) => view[name] !== undefined)
    .map((name) => [name, jsonb(view[name])])
  return { ...view, ...Object.fromEntries(json) }
}

export type NewView = Omit<ViewRow, 'order' | 'id_space' | 'created_at' | 'updated_at'>

export function insertView(db: Db, space: string, view: NewView, now: Date): Promise<ViewRow> {
  const time = now.toISOString()
  const row = { ...stored(view), id_space: space, created_at: time, updated_at: time }
  return insertLast(db, 'saved_view', row, sql`id_space = ${space}`, columns)
}

/** Those that the member may see. */
export function selectViews(db: Db, space: string, member: string): Promise<OwnViewRow[]> {
  return run<OwnViewRow[]>(db)`select ${columns}, ${isFavorite(space, member)} from saved_view
    where id_space = ${space} and (shared or id_member = ${member}) order by "order", id`
}

/** One view that the member may see. Locks it until the transaction ends. */
export function lockView(db: Db, space: string, id: string, member: string) {
  return runOne<OwnViewRow>(db)`
    select ${columns}, ${isFavorite(space, member)} from saved_view
    where id_space = ${space} and id = ${id} and (shared or id_member = ${member}) for update`
}

export type ViewChange = Partial<Omit<NewView, 'id'> & Pick<ViewRow, 'order'>>

export async function updateView(
  db: Db,
  space: string,
  id: string,
  change: ViewChange,
  now: Date,
): Promise<ViewRow> {
  const [row] = await run<ViewRow[]>(db)`
    update saved_view set ${assignments({ ...stored(change), updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} returning ${columns}`
  return row as ViewRow
}

export async function setFavorite(
  db: Db,
  space: string,
  id: string,
  member: string,
  favorite: boolean,
): Promise<void> {
  await run(
    db,
    favorite
      ? sql`insert into view_favorite (id_space, id_view, id_member)
          values (${space}, ${id}, ${member}) on conflict do nothing`
      : sql`delete from view_favorite
          where id_space = ${space} and id_view = ${id} and id_member = ${member}`,
  )
}

export async function deleteView(db: Db, space: string, id: string): Promise<void> {
  await run(db)`delete from saved_view where id_space = ${space} and id = ${id}`
}

/** The views of a deleted list stay, without a list. */
export async function detachViewsOfList(db: Db, space: string, list: string): Promise<void> {
  await run(db)`
    update saved_view set id_list = null where id_space = ${space} and id_list = ${list}`
}

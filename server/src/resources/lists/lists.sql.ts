// Statements about lists.
import { ListDetails } from '@rapport/contract/lists'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type Deleted, insertLast, type RowOf } from '../../db/rows.ts'
import { assignments, run, runOne, sql } from '../../db/sql.ts'

export type ListRow = RowOf<typeof ListDetails>
const columns = columnsOf(ListDetails)

export function insertList(
  db: Db,
  space: string,
  list: Pick<ListRow, 'id' | 'name'> & ListChange,
  now: Date,
): Promise<ListRow> {
  const row = {
    ...{ id_space: space, emoji: '', description: '', color: '', auto_status: false, ...list },
    ...{ schema: '', can_be_delete: true, favorite: false },
    ...{ attribute_definitions_order: [], is_deleted: false },
    ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
  }
  return insertLast(db, 'list', row, sql`id_space = ${space} and not is_deleted`, columns)
}

export function selectLists(db: Db, space: string): Promise<ListRow[]> {
  return run<ListRow[]>(db)`select ${columns} from list
    where id_space = ${space} and not is_deleted order by "order", id`
}

/** Deleted leads stay in their lists. They are few, so looking at every lead would take longer. */
export function selectListCounts(db: Db, space: string): Promise<{ id: string; leads: number }[]> {
  return run<{ id: string; leads: number }[]>(db)`with entries as materialized (
      select id_list, count(*) as count from lead_list where id_space = ${space} group by id_list),
    deleted as materialized (
      select lead_list.id_list, count(*) as count
      from lead join lead_list on lead_list.id_space = ${space} and lead_list.id_lead = lead.id
      where lead.id_space = ${space} and lead.is_deleted group by lead_list.id_list)
    select list.id, (coalesce(entries.count, 0) - coalesce(deleted.count, 0))::int as leads
    from list
    left join entries on entries.id_list = list.id
    left join deleted on deleted.id_list = list.id
    where list.id_space = ${space} and not list.is_deleted order by list."order", list.id`
}

/** Locks the list, so that no other request changes it in the meantime. */
export function lockList(db: Db, space: string, id: string): Promise<ListRow | undefined> {
  return runOne<ListRow>(db)`select ${columns} from list
    where id_space = ${space} and id = ${id} and not is_deleted for no key update`
}

export type ListChange = Partial<
  Pick<
    ListRow,
    | 'name'
    | 'emoji'
    | 'description'
    | 'color'
    | 'auto_status'
    | 'order'
    | 'favorite'
    | 'attribute_definitions_order'
  >
>

export function updateList(db: Db, space: string, id: string, change: ListChange, now: Date) {
  return runOne<ListRow>(db)`
    update list set ${assignments({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} and not is_deleted
    returning ${columns}`
}

export function markListDeleted(
  db: Db,
  space: string,
  id: string,
  now: Date,
): Promise<Deleted | undefined> {
  return runOne<Deleted>(db)`
    update list set is_deleted = true, deleted_at = ${now}, updated_at = ${now}
    where id_space = ${space} and id = ${id} and not is_deleted
    returning id, name`
}

/** Removes a deleted attribute from attribute_definitions_order of all lists. */
export async function removeAttributeFromLists(
  db: Db,
  space: string,
  attribute: string,
): Promise<void> {
  const affected = sql`id_space = ${space} and ${attribute}::text = any(attribute_definitions_order)`
  // All transactions lock lists in the order of their ids, so that two never deadlock.
  await run(db)`select id from list where ${affected} order by id for no key update`
  await run(db)`update list
    set attribute_definitions_order = array_remove(attribute_definitions_order, ${attribute}::text)
    where ${affected}`
}

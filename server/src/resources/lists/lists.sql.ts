import type { Db } from '../../db/connect.ts'

export interface ListRow {
  id: string
  id_space: string
  name: string
  emoji: string
  description: string
  schema: string
  order: number
  can_be_delete: boolean
  favorite: boolean
  attribute_definitions_order: string[]
  is_deleted: boolean
  created_at: string
  updated_at: string
  deleted_at: string | null
}

const columns = [
  'id',
  'id_space',
  'name',
  'emoji',
  'description',
  'schema',
  'order',
  'can_be_delete',
  'favorite',
  'attribute_definitions_order',
  'is_deleted',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

export async function insertList(
  db: Db,
  space: string,
  list: { id: string; name: string; emoji: string; description: string },
  now: Date,
): Promise<ListRow> {
  const [row] = await db<[ListRow]>`
    insert into list (
      id_space, id, name, emoji, description, schema, "order", can_be_delete, favorite,
      attribute_definitions_order, is_deleted, created_at, updated_at
    )
    select ${space}, ${list.id}, ${list.name}, ${list.emoji}, ${list.description}, '',
      coalesce(max("order") + 1, 0), true, false, '{}', false,
      ${now}::timestamptz, ${now}::timestamptz
    from list where id_space = ${space} and not is_deleted
    returning ${db(columns)}`
  return row
}

export function selectLists(db: Db, space: string): Promise<ListRow[]> {
  return db<ListRow[]>`
    select ${db(columns)} from list
    where id_space = ${space} and not is_deleted order by "order", id`
}

/** Which of these ids are lists of the workspace. In a transaction they stay so until its end. */
export async function lockLists(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from list
    where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted
    order by id for share`
  return rows.map(({ id }) => id)
}

export type ListChange = Partial<
  Pick<
    ListRow,
    'name' | 'emoji' | 'description' | 'order' | 'favorite' | 'attribute_definitions_order'
  >
>

export async function updateList(
  db: Db,
  space: string,
  id: string,
  change: ListChange,
  now: Date,
): Promise<ListRow | undefined> {
  const [row] = await db<ListRow[]>`
    update list set ${db({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} and not is_deleted
    returning ${db(columns)}`
  return row
}

export async function markListDeleted(
  db: Db,
  space: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await db`
    update list set is_deleted = true, deleted_at = ${now}, updated_at = ${now}
    where id_space = ${space} and id = ${id} and not is_deleted
    returning id`
  return rows.length > 0
}

/** An attribute that goes leaves the orders of the lists. */
export async function forgetAttribute(db: Db, space: string, attribute: string): Promise<void> {
  const concerned = db`id_space = ${space} and ${attribute}::text = any(attribute_definitions_order)`
  // By id, like everybody who locks several lists.
  await db`select id from list where ${concerned} order by id for no key update`
  await db`
    update list
    set attribute_definitions_order = array_remove(attribute_definitions_order, ${attribute}::text)
    where ${concerned}`
}

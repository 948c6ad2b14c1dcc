// Reads and locks the definitions of custom attributes, for requests that contain values or filter by
// them.
import type { ListedAttribute, SelectOption } from '@rapport/contract/attributes'
import type { Static } from 'typebox'
import type { Db } from '../db/driver.ts'
import { columnNames, run, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'

/** The columns that a response shows under the same name. */
const shown = [
  ...(['id', 'id_space', 'type', 'slug', 'name'] as const),
  ...(['description', 'currency', 'created_at', 'updated_at'] as const),
]
const columns = columnNames([...shown, 'is_multi', 'is_system', 'version'])

export interface AttributeRow extends Pick<Static<typeof ListedAttribute>, (typeof shown)[number]> {
  is_multi: boolean
  is_system: boolean
  /** Increases with each change. A value is written only for the version that it was checked against. */
  version: number
  /** The options of a SELECT attribute, in their order. */
  options: SelectOption[]
}

/** All attributes of the workspace, or those with these ids. Oldest first. */
export function selectAttributes(db: Db, space: string, ids?: string[]): Promise<AttributeRow[]> {
  return run<AttributeRow[]>(db)`select ${columns}, coalesce((
        select jsonb_agg(
          jsonb_build_object('id', option.id, 'name', option.name, 'color', option.color)
          order by option.position)
        from attribute_option option
        where option.id_space = ${space} and option.id_attribute = attribute.id
      ), '[]') as options
    from attribute
    where id_space = ${space} ${ids ? sql`and id = any(${ids}::uuid[])` : sql``}
    order by created_at, id`
}

/**
 * Returns the attributes with these ids, and locks them. Until the transaction ends, the attributes and
 * their options cannot be changed or deleted. Call it before you write leads, so that all transactions
 * take the locks in the same order.
 */
export async function lockAttributes(
  db: Db,
  space: string,
  ids: string[],
): Promise<AttributeRow[]> {
  // The keys of a body can be any text.
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  const locked = await run<{ id: string }[]>(db)`select id from attribute
    where id_space = ${space} and id = any(${wanted}::uuid[])
    order by id for share`
  // A second statement, because the first one may have waited for the lock. It would still see the
  // options from before the wait.
  return selectAttributes(
    db,
    space,
    locked.map(({ id }) => id),
  )
}

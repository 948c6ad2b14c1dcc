// The definitions of custom attributes, for requests that carry or filter by their values.
import type { ListedAttribute, SelectOption } from '@rapport/contract/attributes'
import type { Static } from 'typebox'
import type { Db } from '../../db/driver.ts'
import { columnNames, run, sql } from '../../db/sql.ts'
import { isId } from '../../ids.ts'

/** The columns that answers show under their own names. */
const shown = [
  ...(['id', 'id_space', 'type', 'slug', 'name'] as const),
  ...(['description', 'currency', 'created_at', 'updated_at'] as const),
]
const columns = columnNames([...shown, 'is_multi', 'is_system', 'version'])

export interface AttributeRow extends Pick<Static<typeof ListedAttribute>, (typeof shown)[number]> {
  is_multi: boolean
  is_system: boolean
  /** Counts the changes, so that a value is not written for a definition that has changed since. */
  version: number
  /** The options of a SELECT attribute, in their order. */
  options: SelectOption[]
}

/** All attributes of the workspace, or those with these ids; oldest first. */
export function selectAttributes(db: Db, space: string, ids?: string[]): Promise<AttributeRow[]> {
  return run<AttributeRow[]>(
    db,
    sql`select ${columns}, coalesce((
          select jsonb_agg(
            jsonb_build_object('id', option.id, 'name', option.name, 'color', option.color)
            order by option.position)
          from attribute_option option
          where option.id_space = ${space} and option.id_attribute = attribute.id
        ), '[]') as options
      from attribute
      where id_space = ${space} ${ids ? sql`and id = any(${ids}::uuid[])` : sql``}
      order by created_at, id`,
  )
}

/**
 * Returns those of the ids that are attributes of the workspace. Until the transaction ends they can
 * be used, but neither they nor their options can change or be deleted. Call it before leads are
 * written, so that all transactions take the locks in the same order.
 */
export async function lockAttributes(
  db: Db,
  space: string,
  ids: string[],
): Promise<AttributeRow[]> {
  // The keys of a body need not be ids.
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  const locked = await run<{ id: string }[]>(
    db,
    sql`select id from attribute
      where id_space = ${space} and id = any(${wanted}::uuid[])
      order by id for share`,
  )
  // A second statement, because one that had to wait for the lock would still see the options as they
  // were before it waited.
  return selectAttributes(
    db,
    space,
    locked.map(({ id }) => id),
  )
}

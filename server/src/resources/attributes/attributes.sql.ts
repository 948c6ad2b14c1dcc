import type { Db, Fragment } from '../../db/connect.ts'
import type { AttributeType } from '../../filter/values.ts'
import { isId } from '../../ids.ts'

export interface SelectOption {
  id: string
  name: string
  color: string
}

export interface AttributeRow {
  id: string
  id_space: string
  type: AttributeType
  slug: string
  name: string
  description: string
  currency: string
  is_multi: boolean
  is_system: boolean
  created_at: string
  updated_at: string
  /** Counts the changes. */
  version: number
  /** Of a SELECT attribute, in their order. */
  options: SelectOption[]
}

/** All attributes of the workspace, or those of the given ids; oldest first. */
export function selectAttributes(db: Db, space: string, ids?: string[]): Promise<AttributeRow[]> {
  return db<AttributeRow[]>`
    select id, id_space, type, slug, name, description, currency, is_multi, is_system,
      created_at, updated_at, version, coalesce((
        select jsonb_agg(
          jsonb_build_object('id', option.id, 'name', option.name, 'color', option.color)
          order by option.position)
        from attribute_option option
        where option.id_space = ${space} and option.id_attribute = attribute.id
      ), '[]') as options
    from attribute
    where id_space = ${space} ${ids ? db`and id = any(${ids}::uuid[])` : db``}
    order by created_at, id`
}

/**
 * Those of the ids that are attributes of the workspace. Until the transaction ends they can be
 * used, but neither they nor their options can change or go. Called before leads are written, so
 * that everybody takes the locks in the same order.
 */
export async function lockAttributes(
  db: Db,
  space: string,
  ids: string[],
): Promise<AttributeRow[]> {
  // The keys of a body need not be ids.
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  const locked = await db<{ id: string }[]>`
    select id from attribute
    where id_space = ${space} and id = any(${wanted}::uuid[])
    order by id for share`
  // A statement of its own: one that had to wait for the lock would still see the options as they
  // were before it waited.
  return selectAttributes(
    db,
    space,
    locked.map(({ id }) => id),
  )
}

/** One attribute that is about to change: nobody else changes it or uses it for new values meanwhile. */
export async function lockAttribute(
  db: Db,
  space: string,
  id: string,
): Promise<AttributeRow | undefined> {
  await db`select id from attribute where id_space = ${space} and id = ${id} for update`
  const [row] = await selectAttributes(db, space, [id])
  return row
}

export async function selectSlugs(db: Db, space: string): Promise<string[]> {
  const rows = await db<{ slug: string }[]>`select slug from attribute where id_space = ${space}`
  return rows.map(({ slug }) => slug)
}

/** Whether it was made: not when its slug is in use. Its options are left to insertOptions. */
export async function insertAttribute(db: Db, row: AttributeRow): Promise<boolean> {
  const { options: _, ...attribute } = row
  const rows = await db`
    insert into attribute ${db(attribute)}
    on conflict (id_space, slug) do nothing
    returning id`
  return rows.length > 0
}

export async function insertOptions(
  db: Db,
  space: string,
  attribute: string,
  options: SelectOption[],
): Promise<void> {
  const rows = options.map(({ id, name, color }, position) => ({ id, name, color, position }))
  await db`
    insert into attribute_option (id_space, id_attribute, id, name, color, position)
    select ${space}::uuid, ${attribute}::uuid, entry.id, entry.name, entry.color, entry.position
    from jsonb_to_recordset(${db.json(rows)}::jsonb)
      as entry(id uuid, name text, color text, position integer)`
}

export async function deleteOptions(db: Db, space: string, attribute: string): Promise<void> {
  await db`
    delete from attribute_option where id_space = ${space} and id_attribute = ${attribute}`
}

export type AttributeChange = Partial<
  Pick<AttributeRow, 'name' | 'slug' | 'description' | 'currency'>
>

export async function updateAttribute(
  db: Db,
  space: string,
  id: string,
  change: AttributeChange,
  now: Date,
): Promise<void> {
  await db`
    update attribute
    set ${db({ ...change, updated_at: now.toISOString() })}, version = version + 1
    where id_space = ${space} and id = ${id}`
}

export async function deleteAttribute(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await db`delete from attribute where id_space = ${space} and id = ${id} returning id`
  return rows.length > 0
}

/** In the order in which everybody locks leads, so that nobody waits for each other. */
async function lockLeads(db: Db, space: string, concerned: Fragment): Promise<void> {
  await db`
    select count(*) from (
      select id from lead where id_space = ${space} and ${concerned}
      order by id for no key update) locked`
}

/** Takes the attribute's value out of every lead, deleted ones too. */
export async function clearValues(db: Db, space: string, attribute: string): Promise<void> {
  await lockLeads(db, space, db`attributes ? ${attribute}::text`)
  await db`
    update lead set attributes = attributes - ${attribute}::text
    where id_space = ${space} and attributes ? ${attribute}::text`
}

/**
 * Takes the options out of every lead's value of the attribute. The new value is computed from the
 * row as it is when it is written, so that what others write into the same leads at the same time
 * is kept.
 */
export async function clearOptions(
  db: Db,
  space: string,
  attribute: string,
  options: string[],
): Promise<void> {
  // ?| looks into an array of options as well as at a single one.
  const concerned = db`attributes -> ${attribute}::text ?| ${options}::text[]`
  await lockLeads(db, space, concerned)
  await db`
    update lead set attributes = case
      when jsonb_typeof(attributes -> ${attribute}::text) = 'array'
        and (attributes -> ${attribute}::text) - ${options}::text[] <> '[]'::jsonb
      then jsonb_set(attributes, array[${attribute}::text],
        (attributes -> ${attribute}::text) - ${options}::text[])
      else attributes - ${attribute}::text
    end
    where id_space = ${space} and ${concerned}`
}

// Statements that change the definitions of custom attributes. Those that read them are in references/,
// because other resources use them too.
import type { SelectOption } from '@rapport/contract/attributes'
import type { Db } from '../../db/driver.ts'
import type { Deleted } from '../../db/rows.ts'
import { assignments, jsonb, rowValues, run, runOne } from '../../db/sql.ts'
import { type AttributeRow, selectAttributes } from '../../references/attributes.ts'

/**
 * Locks an attribute for a change. No other transaction can change it or write values of it until this
 * one ends.
 */
export async function lockAttribute(
  db: Db,
  space: string,
  id: string,
): Promise<AttributeRow | undefined> {
  await run(db)`select id from attribute where id_space = ${space} and id = ${id} for update`
  const [row] = await selectAttributes(db, space, [id])
  return row
}

export async function selectSlugs(db: Db, space: string): Promise<string[]> {
  const rows = await run<{ slug: string }[]>(db)`
    select slug from attribute where id_space = ${space}`
  return rows.map(({ slug }) => slug)
}

/** Returns false if the slug is in use. Does not insert the options: insertOptions does. */
export async function insertAttribute(db: Db, row: AttributeRow): Promise<boolean> {
  const { options: _, ...attribute } = row
  const rows = await run(db)`insert into attribute ${rowValues(attribute)}
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
  await run(db)`insert into attribute_option (id_space, id_attribute, id, name, color, position)
    select ${space}::uuid, ${attribute}::uuid, entry.id, entry.name, entry.color, entry.position
    from jsonb_to_recordset(${jsonb(rows)})
      as entry(id uuid, name text, color text, position integer)`
}

export async function deleteOptions(db: Db, space: string, attribute: string): Promise<void> {
  await run(db)`
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
  await run(db)`update attribute
    set ${assignments({ ...change, updated_at: now.toISOString() })}, version = version + 1
    where id_space = ${space} and id = ${id}`
}

export function deleteAttribute(db: Db, space: string, id: string): Promise<Deleted | undefined> {
  return runOne<Deleted>(db)`
    delete from attribute where id_space = ${space} and id = ${id} returning id, name`
}

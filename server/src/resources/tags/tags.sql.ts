import type { Db } from '../../db/connect.ts'

export interface TagRow {
  id: string
  id_space: string
  id_list: string | null
  name: string
  color: string
  icon: string
  order: number
  show: boolean
  ai_enabled: boolean
  ai_instructions: unknown
  ai_instructions_text: string
  ai_rules: unknown
  ai_rules_text: string
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'id_space',
  'id_list',
  'name',
  'color',
  'icon',
  'order',
  'show',
  'ai_enabled',
  'ai_instructions',
  'ai_instructions_text',
  'ai_rules',
  'ai_rules_text',
  'created_at',
  'updated_at',
] as const

export async function insertTag(
  db: Db,
  space: string,
  tag: { id: string; name: string; color: string },
  now: Date,
): Promise<TagRow> {
  const [row] = await db<[TagRow]>`
    insert into tag (
      id_space, id, name, color, icon, "order", show,
      ai_enabled, ai_instructions_text, ai_rules_text, created_at, updated_at
    )
    select ${space}, ${tag.id}, ${tag.name}, ${tag.color}, '', coalesce(max("order") + 1, 0), true,
      false, '', '', ${now}::timestamptz, ${now}::timestamptz
    from tag where id_space = ${space}
    returning ${db(columns)}`
  return row
}

export function selectTags(db: Db, space: string): Promise<TagRow[]> {
  return db<TagRow[]>`
    select ${db(columns)} from tag where id_space = ${space} order by "order", id`
}

export type TagChange = Partial<
  Pick<TagRow, 'name' | 'color' | 'icon' | 'order' | 'show' | 'id_list'>
>

export async function updateTag(
  db: Db,
  space: string,
  id: string,
  change: TagChange,
  now: Date,
): Promise<TagRow | undefined> {
  const [row] = await db<TagRow[]>`
    update tag set ${db({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id}
    returning ${db(columns)}`
  return row
}

export async function deleteTag(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await db`delete from tag where id_space = ${space} and id = ${id} returning id`
  return rows.length > 0
}

/** A list that goes takes no tag with it. */
export async function freeTagsOfList(db: Db, space: string, list: string): Promise<void> {
  await db`update tag set id_list = null where id_space = ${space} and id_list = ${list}`
}

// Statements about tags.
import { Tag } from '@rapport/contract/tags'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type Deleted, insertLast, type RowOf } from '../../db/rows.ts'
import { assignments, run, runOne, sql } from '../../db/sql.ts'

export type TagRow = RowOf<typeof Tag, 'id_list'>
const columns = columnsOf(Tag)

export function insertTag(
  db: Db,
  space: string,
  tag: Pick<TagRow, 'id' | 'name' | 'color'>,
  now: Date,
): Promise<TagRow> {
  const row = {
    ...{ id_space: space, ...tag, icon: '', show: true },
    ...{ ai_enabled: false, ai_instructions_text: '', ai_rules_text: '' },
    ...{ created_at: now.toISOString(), updated_at: now.toISOString() },
  }
  return insertLast(db, 'tag', row, sql`id_space = ${space}`, columns)
}

export function selectTags(db: Db, space: string): Promise<TagRow[]> {
  return run<TagRow[]>(db)`
    select ${columns} from tag where id_space = ${space} order by "order", id`
}

/** Locks the tag, so that no other request changes it in the meantime. */
export function lockTag(db: Db, space: string, id: string): Promise<TagRow | undefined> {
  return runOne<TagRow>(db)`
    select ${columns} from tag where id_space = ${space} and id = ${id} for no key update`
}

export type TagChange = Partial<
  Pick<TagRow, 'name' | 'color' | 'icon' | 'order' | 'show' | 'id_list'>
>

export function updateTag(db: Db, space: string, id: string, change: TagChange, now: Date) {
  return runOne<TagRow>(db)`
    update tag set ${assignments({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id}
    returning ${columns}`
}

export function deleteTag(db: Db, space: string, id: string): Promise<Deleted | undefined> {
  return runOne<Deleted>(db)`
    delete from tag where id_space = ${space} and id = ${id} returning id, name`
}

/** The tags of a deleted list stay, without a list. */
export async function detachTagsOfList(db: Db, space: string, list: string): Promise<void> {
  await run(db)`update tag set id_list = null where id_space = ${space} and id_list = ${list}`
}

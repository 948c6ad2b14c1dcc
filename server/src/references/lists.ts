// Checks that the lists in a request exist, and locks them: they cannot be deleted until its transaction
// ends.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { isId } from '../ids.ts'

/** Returns which of these ids are lists of the workspace, and locks them. */
export async function lockLists(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await run<{ id: string }[]>(db)`select id from list
    where id_space = ${space} and id = any(${ids.filter(isId)}::uuid[]) and not is_deleted
    order by id for share`
  return rows.map(({ id }) => id)
}

/** Locks all lists of the workspace. */
export async function lockAllLists(db: Db, space: string): Promise<void> {
  await run(db)`
    select id from list where id_space = ${space} and not is_deleted order by id for share`
}

/** Returns the id of a list in a body, or throws if it does not exist. "" and null mean no list. */
export async function requireList(
  db: Db,
  space: string,
  id: string | null,
  path: Issue['path'],
): Promise<string | null> {
  if (id === null || id === '') return null
  const [found] = await lockLists(db, space, [id])
  if (!found) throw badRequest(unknownRecord(path, 'list'))
  return found
}

// What is derived from the fields of leads and stored in separate tables.
import type { Db } from '../../../db/driver.ts'
import type { Sql } from '../../../db/sql.ts'
import { refreshKeys } from '../duplicates/keys.sql.ts'
import { hasKeyField } from '../duplicates/keys.ts'
import { isSearched, refreshSearch } from '../search/text.sql.ts'

/** Call it after these columns of leads were written. `ids` is an array, in SQL. */
export async function refreshDerived(
  db: Db,
  space: string,
  columns: string[],
  ids: Sql,
): Promise<void> {
  if (isSearched(columns)) await refreshSearch(db, space, ids)
  if (hasKeyField(columns)) await refreshKeys(db, space, ids)
}

// Statements of POST /leads/deleted.
import type { Db } from '../../../db/driver.ts'
import { runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { isOf } from '../change/pick.sql.ts'

/** A lead among the deleted ones: when it was deleted, and its id. */
export interface DeletedPlace {
  at: string
  id: string
}

/** Up to `limit` deleted leads behind `after`, the last deleted first, and how many there are in all. */
export async function selectDeleted(
  db: Db,
  space: string,
  condition: Sql,
  { after, limit }: { after: DeletedPlace | undefined; limit: number },
): Promise<{ rows: DeletedPlace[]; total: number }> {
  const older = after
    ? sql`and (lead.is_deleted_at, lead.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``
  const selected = sql`lead.id_space = ${space} and ${isOf('deleted')} and (${condition})`
  const rows = await runUnprepared<{ id: string; at: string }[]>(db)`
    select lead.id, lead.is_deleted_at as at from lead where ${selected} ${older}
    order by lead.is_deleted_at desc, lead.id desc limit ${limit}`
  const [counted] = await runUnprepared<[{ total: number }]>(db)`
    select count(*) as total from lead where ${selected}`
  return { rows, total: counted.total }
}

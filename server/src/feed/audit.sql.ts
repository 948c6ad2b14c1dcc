// The audit log. Rows are only added. One thing changes them: erasing a lead takes its names out of the
// filters of exports (resources/leads/erase/traces.ts).
import type { AuditAction, AuditEntry } from '@rapport/contract/audit'
import type { Db } from '../db/driver.ts'
import { rowValues, run, sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import type { Author } from './author.ts'
import { shortened } from './shortened.ts'

/** Call it in the transaction of what it tells about. `about` must not contain a secret. */
export async function audit(
  db: Db,
  { space, actor, now }: Pick<Author, 'space' | 'actor' | 'now'>,
  action: AuditAction,
  about: Record<string, unknown>,
): Promise<void> {
  const { member, key, way, request_id } = actor
  const row = {
    ...{ id_space: space, id: newId(), at: now, id_member: member, id_key: key, way, request_id },
    ...{ action, about: shortened(about) },
  }
  await run(db)`insert into audit ${rowValues(row)}`
}

type Row = Pick<AuditEntry, 'id' | 'at' | 'action' | 'about'> & {
  id_member: string | null
  id_key: string | null
  way: Author['actor']['way']
  request_id: string | null
}

/** Newest first, those before the entry `before`. */
export async function selectAudit(
  db: Db,
  space: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}`
  const rows = await run<Row[]>(db)`
    select id, at, id_member, id_key, way, request_id, action, about from audit
    where id_space = ${space} ${older} order by id desc limit ${limit}`
  return rows.map(({ id, at, id_member, id_key, way, request_id, action, about }) => {
    const actor = { member: id_member, key: id_key, way, request_id }
    return { id, at, actor, action, about }
  })
}

// Statements that find and lock the records in a request.
import type { Db } from '../db/driver.ts'
import { join, raw, run, type Sql, sql } from '../db/sql.ts'

/** The tables, and the condition for rows that are not deleted. */
const live = {
  list: 'not is_deleted',
  status: 'true',
  tag: 'true',
  member: 'true',
  campaign: 'not is_deleted',
  lead: 'not is_deleted',
} as const

export type RecordKind = keyof typeof live

export interface ReferenceRow {
  kind: RecordKind
  id: string
  /** The list of a status. */
  id_list: string | null
}

export async function selectReferences(
  db: Db,
  space: string,
  wanted: { kind: RecordKind; id: string }[],
): Promise<ReferenceRow[]> {
  const ids = (kind: RecordKind) => wanted.filter((each) => each.kind === kind).map(({ id }) => id)
  await lockListsOf(db, space, { lists: ids('list'), status: ids('status') })
  // Lock these before the leads, because deleting a status or tag locks it first and then its leads.
  for (const kind of ['status', 'tag'] as const) {
    if (ids(kind).length > 0) {
      await run(db)`
        select id from ${raw(kind)} where id_space = ${space} and id = any(${ids(kind)}::uuid[])
        order by id for key share`
    }
  }
  return selectExisting(db, space, ids)
}

/** With `nowait`, a statement that would have to wait for a lock fails. */
export type Wait = Sql
export const untilFree: Wait = sql``
export const nowait: Wait = sql`nowait`

/**
 * Locks these lists and those of these statuses. Returns their ids. A separate statement, and the first one: it
 * waits for a transaction that is deleting a list, so that the statements after it see the list as deleted.
 */
export async function lockListsOf(
  db: Db,
  space: string,
  { lists, status }: { lists: string[]; status: string[] },
  wait = untilFree,
): Promise<string[]> {
  if (lists.length === 0 && status.length === 0) return []
  const rows = await run<{ id: string }[]>(db)`select id from list
    where id_space = ${space} and not is_deleted and (id = any(${lists}::uuid[]) or id in (
      select id_list from status where id_space = ${space} and id = any(${status}::uuid[])))
    order by id for share ${wait}`
  return rows.map(({ id }) => id)
}

/** Those of the records that exist and are not deleted. */
async function selectExisting(
  db: Db,
  space: string,
  ids: (kind: RecordKind) => string[],
): Promise<ReferenceRow[]> {
  const selects = existing(space, ids)
  return selects.length > 0 ? run<ReferenceRow[]>(db, join(selects, ' union all ')) : []
}

/** A query for each kind of record of which there are ids. */
export function existing(space: string, ids: (kind: RecordKind) => string[]): Sql[] {
  return (Object.keys(live) as RecordKind[])
    .filter((kind) => ids(kind).length > 0)
    .map((kind) => select(space, kind, ids(kind)))
}

function select(space: string, kind: RecordKind, ids: string[]): Sql {
  const list = kind === 'status' ? 'id_list' : 'null::uuid'
  return sql`select ${raw(`'${kind}'`)} as kind, id, ${raw(list)} as id_list from ${raw(kind)}
    where id_space = ${space} and id = any(${ids}::uuid[]) and ${raw(live[kind])}`
}

/** Holds when the record exists and is not deleted. */
export function isLiveRecord(space: string, kind: RecordKind, id: Sql): Sql {
  return sql`exists (select from ${raw(kind)}
    where ${raw(kind)}.id_space = ${space} and ${raw(kind)}.id = ${id} and ${raw(live[kind])})`
}

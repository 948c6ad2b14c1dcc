import type { Db } from '../../db/connect.ts'
import { join, raw, run, type Sql, sql } from '../../db/sql.ts'

/** The tables that a lead's relations point to, and what makes a row of them count. */
const tables = {
  list: 'not is_deleted',
  status: 'true',
  tag: 'true',
  member: 'true',
  campaign: 'not is_deleted',
  lead: 'not is_deleted',
} as const

export type RefKind = keyof typeof tables

export interface RefRow {
  kind: RefKind
  id: string
  /** Of a status. */
  id_list: string | null
}

export async function selectRefs(
  db: Db,
  space: string,
  refs: { kind: RefKind; id: string }[],
): Promise<RefRow[]> {
  const ids = (kind: RefKind) => refs.filter((ref) => ref.kind === kind).map(({ id }) => id)
  const lists = ids('list')
  const status = ids('status')
  if (lists.length > 0 || status.length > 0) {
    // First, and on its own: a list that is being deleted just now is gone when this returns.
    await run(
      db,
      sql`select id from list
        where id_space = ${space} and (id = any(${lists}::uuid[]) or id in (
          select id_list from status where id_space = ${space} and id = any(${status}::uuid[])))
        order by id for share`,
    )
  }
  // Kept from being deleted before leads are locked: who deletes one locks it first, then the leads
  // that have it.
  for (const kind of ['status', 'tag'] as const) {
    if (ids(kind).length > 0) {
      await run(
        db,
        sql`select id from ${raw(kind)} where id_space = ${space} and id = any(${ids(kind)}::uuid[])
          order by id for key share`,
      )
    }
  }
  const selects = (Object.keys(tables) as RefKind[])
    .filter((kind) => ids(kind).length > 0)
    .map((kind) => select(space, kind, ids(kind)))
  return run<RefRow[]>(db, join(selects, ' union all '))
}

function select(space: string, kind: RefKind, ids: string[]): Sql {
  const list = kind === 'status' ? 'id_list' : 'null::uuid'
  return sql`select ${raw(`'${kind}'`)} as kind, id, ${raw(list)} as id_list from ${raw(kind)}
    where id_space = ${space} and id = any(${ids}::uuid[]) and ${raw(tables[kind])}`
}

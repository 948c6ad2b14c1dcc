// Statements that read the change feed.
import type { Event, EventType } from '@rapport/contract/events'
import type { Db } from '../../db/driver.ts'
import { run, type Sql, sql } from '../../db/sql.ts'

interface Row {
  seq: number
  type: EventType
  at: string
  id_member: string | null
  id_key: string | null
  way: Event['actor']['way']
  request_id: string | null
  id_operation: string | null
  undo_of: string | null
  ids: string[]
  changed: Record<string, unknown> | null
}

const columns = sql`seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed`

/** Up to `limit` events with numbers above `after` and up to `last`, oldest first. */
export async function selectEvents(
  db: Db,
  space: string,
  { after, last, limit, types }: { after: number; last: number; limit: number; types: EventType[] },
): Promise<Event[]> {
  const wanted = types.length > 0 ? sql`and type = any(${types}::text[])` : sql``
  return select(
    db,
    sql`id_space = ${space} and seq > ${after} and seq <= ${last} ${wanted} order by seq limit ${limit}`,
  )
}

/** What concerns one lead, newest first, with numbers below `before`. */
export async function selectLeadEvents(
  db: Db,
  space: string,
  lead: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Event[]> {
  const older = before === undefined ? sql`` : sql`and seq < ${before}`
  return select(
    db,
    sql`id_space = ${space} and coalesce(leads, ids) @> array[${lead}::uuid]
      and (leads is not null or type like 'lead.%') ${older}
      order by seq desc limit ${limit}`,
  )
}

async function select(db: Db, which: Sql): Promise<Event[]> {
  const rows = await run<Row[]>(db, sql`select ${columns} from event where ${which}`)
  return rows.map(toEvent)
}

function toEvent(row: Row): Event {
  const { seq, type, at, ids, changed, request_id, way } = row
  const actor = { member: row.id_member, key: row.id_key, way, request_id }
  const cause = { request_id, operation: row.id_operation, undo_of: row.undo_of }
  return { seq, type, at, actor, cause, ids, changed: changed ?? {} }
}

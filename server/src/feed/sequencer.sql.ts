// Statements that number new events.
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, columnNames, run } from '../db/sql.ts'
import { mayTakeBack, mayTell } from './notify.sql.ts'

const carried = columnNames([
  ...['type', 'at', 'id_member', 'id_key', 'way', 'request_id', 'id_operation', 'step'],
  ...['undo_of', 'ids', 'leads', 'changed'],
])

/** The workspaces that have events without a number. */
export async function selectWaiting(db: Db): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    ${acrossWorkspaces} select distinct id_space from event_new limit 1000`
  return rows.map(({ id_space }) => id_space)
}

/**
 * The last number given. Undefined: another process numbers the events of this workspace, or the
 * workspace is being deleted. It is locked first, as its deletion does, so that the two cannot deadlock.
 */
export async function lockHead(db: Db, space: string): Promise<number | undefined> {
  const [found] = await run(db)`
    select 1 from space where id_space = ${space} for key share skip locked`
  if (!found) return undefined
  const [row] = await run<{ seq: number }[]>(db)`
    select seq from event_head where id_space = ${space} for update skip locked`
  return row?.seq
}

/**
 * Moves up to `limit` events into the feed, with numbers after `seq`. Returns how many, and whether somebody may have
 * to be told about one, or was told what is no longer so. An event that is committed later gets a later number, but never
 * one of the same record: its writer held the lock.
 */
export async function moveEvents(
  db: Db,
  space: string,
  seq: number,
  limit: number,
): Promise<{ count: number; tells: boolean; takesBack: boolean }> {
  const rows = await run<{ tells: boolean; takes_back: boolean }[]>(db)`with moved as (
      delete from event_new
      where id_space = ${space} and (id, part) in (
        select id, part from event_new where id_space = ${space}
        order by written_at, id, part limit ${limit})
      returning *)
    insert into event (id_space, seq, ${carried})
    select ${space}::uuid, ${seq}::bigint + row_number() over (order by written_at, id, part),
      ${carried}
    from moved
    returning (${mayTell}) is true as tells, (${mayTakeBack}) is true as takes_back`
  return {
    count: rows.length,
    tells: rows.some(({ tells }) => tells),
    takesBack: rows.some(({ takes_back }) => takes_back),
  }
}

export async function advanceHead(db: Db, space: string, seq: number): Promise<void> {
  await run(db)`update event_head set seq = ${seq} where id_space = ${space}`
}

/** Tells all processes that listen, when the transaction is committed. */
export async function notify(tx: Db, channel: string, payload: string): Promise<void> {
  await run(tx)`select pg_notify(${channel}, ${payload})`
}

// Tags, lists, statuses, attributes, views and the like are read all at once, by every page and by every import. So
// there is a limit to what a workspace can have of each: as much as a body may hold.
import type { EventRecord } from '@rapport/contract'
import { badRequest } from '@rapport/contract/errors'
import { maxTextBytes } from '@rapport/contract/shapes'
import type { Db } from '../db/driver.ts'
import { raw, run, runUnprepared, type Sql } from '../db/sql.ts'
import { maxBodyBytes } from '../http/body.ts'
import { limitInBytes } from '../words.ts'

/** Where records are, if not in the table of their name. */
const tables: Partial<Record<EventRecord, string[]>> = {
  attribute: ['attribute', 'attribute_option'],
  view: ['saved_view'],
}

/** Call it after the change, in its transaction. */
export async function hasRoom(tx: Db, space: string, kind: EventRecord): Promise<boolean> {
  let bytes = 0
  for (const table of tables[kind] ?? [kind]) {
    const remaining = raw(table === 'list' ? 'and not is_deleted' : '')
    const [row] = await run<{ bytes: number }[]>(tx)`
      select coalesce(sum(octet_length(${raw(table)}::text)), 0)::bigint as bytes
      from ${raw(table)} where id_space = ${space} ${remaining}`
    bytes += row?.bytes ?? 0
  }
  return bytes <= maxBodyBytes
}

export const noRoom = (kind: EventRecord) =>
  `All records of this kind (${kind}) together may have ${limitInBytes(maxBodyBytes)}. Delete some, or make them shorter.`

/** Throws a BAD_REQUEST if the workspace now has too much of it. */
export async function requireRoom(tx: Db, space: string, kind: EventRecord): Promise<void> {
  if (await hasRoom(tx, space, kind)) return
  throw badRequest({ path: [], code: 'no_room', message: noRoom(kind) })
}

/**
 * Throws a BAD_REQUEST if a page of records has too much text. `texts` is the length of a record's texts, `page`
 * the query of the page. A page of few records never has.
 */
export async function requireSmallPage(
  db: Db,
  limit: number,
  texts: Sql,
  page: Sql,
): Promise<void> {
  if (limit * maxTextBytes <= maxBodyBytes) return
  const [row] = await runUnprepared<{ bytes: number }[]>(db)`
    select coalesce(sum(${texts}), 0)::bigint as bytes from (${page}) page`
  if ((row?.bytes ?? 0) <= maxBodyBytes) return
  throw badRequest({
    path: ['pagination', 'page_size'],
    code: 'too_large',
    message: `This page has more than ${limitInBytes(maxBodyBytes)} of text. Ask for fewer records at a time.`,
  })
}

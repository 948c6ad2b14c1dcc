// Repairs leads that a server of an older release has written after a newer one migrated the database. It stops within
// seconds, but until then it does not know what is new: such leads may lack their search text, their keys or their event.
import { selectSpaces } from '../../../access/access.sql.ts'
import { type Db, type Pool, transaction } from '../../../db/driver.ts'
import { run, type Sql, sql } from '../../../db/sql.ts'
import { authorOf } from '../../../feed/author.ts'
import { concernsAny } from '../../../feed/concerns.sql.ts'
import { recordAlike } from '../../../feed/record.sql.ts'
import { refreshKeys } from '../duplicates/keys.sql.ts'
import { insertMissingTexts, isTextCurrent, refreshSearch } from '../search/text.sql.ts'
import { lockLeads } from './batch.sql.ts'
import { pickLeads } from './pick.sql.ts'

/** How many leads are read at a time. */
const batchSize = 2_000
/** By then, servers of older releases have stopped. */
const stoppedMs = 600_000

/** A time in which servers of two releases may have written, and the migration at its end. */
interface Overlap {
  since: Date
  until: Date
  version: number
}

/** Checks the leads that were written shortly after the last migrations, until it has done so once after that time. */
export async function repairLeads(db: Pool, now: Date, signal: AbortSignal): Promise<void> {
  const overlap = await selectOverlap(db)
  if (!overlap) return
  for (const { id_space } of await selectSpaces(db)) {
    let last: string | undefined
    do {
      if (signal.aborted) return
      const batch = await selectBatch(db, id_space, last, overlap)
      const written = batch.filter(({ is_written }) => is_written).map(({ id }) => id)
      if (written.length > 0) await repair(db, id_space, written, overlap, now)
      last = batch.length === batchSize ? batch.at(-1)?.id : undefined
    } while (last !== undefined)
  }
  if (now > overlap.until) await markChecked(db, overlap, now)
}

async function repair(
  db: Pool,
  space: string,
  written: string[],
  overlap: Overlap,
  now: Date,
): Promise<void> {
  const isUntold = createdUntold(space, overlap)
  const isWrong = sql`lead.id = any(${written}::uuid[]) and (not ${isTextCurrent(space)} or ${isUntold})`
  await transaction(db, async (tx) => {
    // Somebody may be changing them.
    await lockLeads(tx, space, written)
    await refreshKeys(tx, space, sql`${written}::uuid[]`)
    const { count, ids } = await pickLeads(tx, space, isWrong)
    if (count === 0) return
    const wrong = sql`${ids}::uuid[]`
    const untold = await run<{ id: string }[]>(tx)`select lead.id from lead
      where lead.id_space = ${space} and lead.id = any(${wrong}) and ${isUntold} order by lead.id`
    await insertMissingTexts(tx, space, wrong)
    await refreshSearch(tx, space, wrong)
    const by = authorOf('schedule', space, now)
    const created = untold.map(({ id }) => id)
    await recordAlike(tx, by, 'lead.created', created)
  })
}

/** The lead is new and has no event. The event of an older lead may have expired. */
function createdUntold(space: string, { since, until }: Overlap): Sql {
  return sql`(lead.created_at between ${since} and ${until}
    and lead.id not in (
      select unnest(ids) from event_new where id_space = ${space} and type = 'lead.created')
    and not exists (
      select from event where id_space = ${space} and type = 'lead.created'
        and ${concernsAny(sql`array[lead.id]`)}))`
}

/** The next leads by id, and which of them were written in that time. */
function selectBatch(db: Db, space: string, after: string | undefined, { since, until }: Overlap) {
  const isLater = after === undefined ? sql`true` : sql`id > ${after}`
  return run<{ id: string; is_written: boolean }[]>(db)`
    select id, updated_at between ${since} and ${until} as is_written from lead
    where id_space = ${space} and ${isLater} order by id limit ${batchSize}`
}

/**
 * From the first migration that was not followed by a check to a while after the last. Those of a new database do not
 * count, since no older server has written to it: the leads of a first import would get their keys twice.
 */
async function selectOverlap(db: Db): Promise<Overlap | undefined> {
  const [row] = await run<{ first: string; last: string; version: number }[]>(db)`
    select min(applied_at) as first, max(applied_at) as last, max(version) as version
    from schema_migration
    where leads_checked_at is null
      and applied_at > make_interval(secs => ${stoppedMs / 1000}) + (
        select applied_at from schema_migration where version = 1)
    having count(*) > 0`
  if (!row) return undefined
  const until = new Date(Date.parse(row.last) + stoppedMs)
  return { since: new Date(row.first), until, version: row.version }
}

async function markChecked(db: Db, { version }: Overlap, now: Date): Promise<void> {
  await run(db)`update schema_migration set leads_checked_at = ${now}
    where leads_checked_at is null and version <= ${version}`
}

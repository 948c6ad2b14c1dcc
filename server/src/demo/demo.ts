// Fills a workspace with realistic sample data. All of it is one transaction, so a demo that fails or
// is stopped leaves nothing behind. The alternative would be to delete what was written. But deleting
// half a million leads takes longer than inserting them, and could be interrupted too.
import { setImmediate } from 'node:timers/promises'
import {
  insertMember,
  insertSpace,
  lockSpace,
  selectMembers,
  selectSpace,
  selectSpaces,
} from '../access/access.sql.ts'
import { issueKey } from '../access/issue-key.ts'
import type { Db, Pool } from '../db/driver.ts'
import { runAll } from '../db/sql.ts'
import { trustReferences } from '../db/trust-references.ts'
import { type Author, authorOf } from '../feed/author.ts'
import { inChunks, recordAlike, recordMany } from '../feed/record.sql.ts'
import { isId, newId } from '../ids.ts'
import { createRandom } from '../random.ts'
import { insertLeads } from '../resources/leads/create/insert.sql.ts'
import { keysNow } from '../resources/leads/duplicates/keys.sql.ts'
import { changeCount } from '../resources/leads/row/count.sql.ts'
import { nextOccurrence, timeZoneOf } from '../resources/reminders/reminders.recurrence.ts'
import { currency, team } from './catalog.ts'
import { countLeads, expectManyRows, insertRows, tidyUp } from './demo.sql.ts'
import { createDoubles, type Double } from './doubles.ts'
import { furnish } from './furniture.ts'
import { createPeople } from './people.ts'
import { createStories, emptyRows, leadTables, type Rows, type Table, tables } from './story.ts'

export interface DemoOptions {
  leads: number
  seed: number
  now: Date
  /** The workspace to fill. Undefined creates a new one. */
  space: string | undefined
  /** Whether the workspace may already have leads. */
  add: boolean
  /** The percentage of leads that are doubles of others. */
  duplicates?: number
  onDouble?: (double: Double) => void
  /** Called with the number of leads created so far. */
  onProgress?: (done: number) => void
  signal?: AbortSignal
}

export interface DemoResult {
  id_space: string
  /** The name of the workspace. */
  workspace: string
  /** The key of a new workspace's owner. Null for an existing workspace. */
  key: string | null
  rows: Counts
}

type Counts = Record<(typeof leadTables)[number] | Table, number>

/** The demo cannot be created. The message is one line for people. */
export class DemoError extends Error {}

/** The workspace has leads, and the user did not say that more may be added. */
export class HasLeads extends DemoError {
  readonly leads: number

  constructor(leads: number) {
    super('The workspace already has leads. To add more, use --add.')
    this.leads = leads
  }
}

/** The oldest lead is two years old. */
const span = 2 * 365 * 86_400_000
/** Large enough for few statements, small enough for constant memory. */
const batchSize = 5_000
/** After this many leads we yield to the event loop, so that the database connection can work. */
const sliceSize = 100

export async function buildDemo(pool: Pool, options: DemoOptions): Promise<DemoResult> {
  const result = await pool.begin(async (tx) => {
    const target = options.space
      ? { ...(await requireEmpty(tx, options.space, options.add)), key: null }
      : await newSpace(tx, options.now)
    await expectManyRows(tx)
    // Checks of references are most of the work. They are not needed in a new workspace: no other
    // connection can see it yet, so none can delete a referenced record.
    if (target.key !== null) await trustReferences(tx)
    const by = authorOf('command', target.id_space, options.now)
    return { ...target, rows: await fillSpace(tx, by, options) }
  })
  await tidyUp(pool)
  return result
}

/** Fills a workspace in the transaction of the caller. For few leads, which need no tidying up. */
export async function fillExisting(
  tx: Db,
  by: Author,
  options: Omit<DemoOptions, 'space'>,
): Promise<DemoResult['rows']> {
  await requireEmpty(tx, by.space, options.add)
  return fillSpace(tx, by, options)
}

async function requireEmpty(tx: Db, space: string, add: boolean) {
  const found = isId(space) && (await selectSpace(tx, space))
  if (!found) throw new DemoError(`No workspace ${space}.`)
  await lockSpace(tx, space)
  const { live } = await countLeads(tx, space)
  if (live > 0 && !add) throw new HasLeads(live)
  return { id_space: space, workspace: found.name }
}

async function newSpace(tx: Db, now: Date) {
  const id_space = newId()
  const created_at = now.toISOString()
  const workspace = await freeName(tx)
  const space = { id_space, name: workspace, time_zone: 'UTC', currency, is_new: true, created_at }
  await insertSpace(tx, space)
  const ids = team.map(() => newId())
  for (const [index, person] of team.entries()) {
    await insertMember(tx, { ...person, id_space, id: ids[index] as string, created_at })
  }
  await recordAlike(tx, authorOf('command', id_space, now), 'member.created', ids)
  const owner = { id_space, id_member: ids[0] as string }
  const { key } = await issueKey(tx, { ...owner, role: 'admin', name: 'Demo', created_at })
  return { id_space, workspace, key }
}

/** "Demo", "Demo 2", …: names are how people choose a workspace. */
async function freeName(tx: Db): Promise<string> {
  const taken = new Set((await selectSpaces(tx)).map(({ name }) => name.toLowerCase()))
  let name = 'Demo'
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `Demo ${number}`
  return name
}

async function fillSpace(
  tx: Db,
  by: Author,
  options: Omit<DemoOptions, 'space'>,
): Promise<DemoResult['rows']> {
  const { space } = by
  const { leads, seed, now, duplicates = 0, onDouble, onProgress, signal } = options
  const members = (await selectMembers(tx, space)).map(({ id }) => id)
  if (members.length === 0) throw new DemoError('The workspace has no members.')
  const before = await countLeads(tx, space)
  // The number of existing leads is part of the seed, so --add does not create the same people again.
  const random = createRandom(seed, before.leads)
  const start = new Date(now.getTime() - span)
  const furniture = await furnish(tx, by, random, start)
  const timeZone = await timeZoneOf(tx, space)
  const nextTime = (cron: string) => (nextOccurrence(cron, timeZone, now) as Date).toISOString()
  const doubles = duplicates > 0 ? createDoubles(random, duplicates / 100, onDouble) : undefined
  const people = createPeople(random, before.companies)
  const stories = createStories(random, { furniture, members, now: now.getTime(), nextTime })

  const counts = Object.fromEntries([...leadTables, ...tables].map((name) => [name, 0])) as Counts
  let sent: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < leads; ) {
    if (signal?.aborted) throw new DemoError('Stopped: nothing was created.')
    const rows = emptyRows()
    for (const end = Math.min(done + batchSize, leads); done < end; done++) {
      // The number of leads grows over time. The last one is created now.
      const age = (1 - (done + random.next()) / leads) ** 1.3
      const created = Math.floor(now.getTime() - span * age)
      const double = doubles?.next(created)
      const lead = double ?? people.next(created)
      if (!double) doubles?.add(lead)
      stories.tell(rows, lead)
      if (done % sliceSize === 0) await setImmediate()
    }
    await sent
    // The database inserts this batch while we create the next one.
    sent = insertBatch(tx, by, rows, timeZone)
    // The next `await sent` throws the error. This only prevents an unhandled rejection before it.
    sent.catch(() => {})
    count(counts, rows)
    onProgress?.(done)
  }
  await sent
  await changeCount(tx, space, counts.lead)
  return counts
}

function count(counts: Counts, rows: Rows): void {
  for (const table of tables) counts[table] += rows[table].length
  counts.lead += rows.leads.length
  for (const { lists, status, tags, owners } of rows.leads) {
    counts.lead_list += lists.length
    counts.lead_status += status.length
    counts.lead_tag += tags.length
    counts.lead_owner += owners.length
  }
}

/** The event of a note or a reminder also names its leads, because their history shows it. */
async function insertBatch(tx: Db, by: Author, rows: Rows, timeZone: string): Promise<void> {
  await Promise.all([
    runAll(tx, [...insertLeads(by.space, rows.leads, keysNow(timeZone))]),
    ...tables.map((table) => insertRows(tx, by.space, table, rows[table])),
  ])
  const leads = rows.leads.map(({ row }) => row.id as string)
  await recordAlike(tx, by, 'lead.created', leads)
  for (const what of ['note', 'reminder'] as const) {
    const events = inChunks(rows[what]).map((chunk) => ({
      ids: chunk.map(({ id }) => id as string),
      leads: [...new Set(chunk.map(({ id_lead }) => id_lead as string))],
    }))
    await recordMany(tx, by, `${what}.created`, events)
  }
}

// Fills a workspace with believable data. All of it is one transaction, so that a demo that is
// stopped or fails leaves nothing behind: taking half a million leads out again would take longer
// than putting them in, and could be stopped as well.
import { setImmediate } from 'node:timers/promises'
import { insertMember, insertSpace, selectMembers, selectSpace } from '../access/access.sql.ts'
import { issueKey } from '../access/issueKey.ts'
import type { Db, Pool } from '../db/connect.ts'
import { isId, newId } from '../ids.ts'
import { createRandom } from '../random.ts'
import { changeCount } from '../resources/leads/leads.count.sql.ts'
import { nextOccurrence, timeZoneOf } from '../resources/reminders/recurrence.ts'
import { team } from './catalogue.ts'
import {
  countLeads,
  expectManyRows,
  insertRows,
  lockSpace,
  tidyUp,
  trustReferences,
} from './demo.sql.ts'
import { furnish } from './furniture.ts'
import { createPeople } from './people.ts'
import { createStories, emptyRows, type Table, tables } from './story.ts'

export interface DemoOptions {
  leads: number
  seed: number
  now: Date
  /** A workspace to fill; a new one when there is none. */
  space: string | undefined
  /** Whether the workspace may have leads already. */
  add: boolean
  /** Told the number of leads that are in. */
  onProgress?: (done: number) => void
  signal?: AbortSignal
}

export interface DemoResult {
  id_space: string
  /** Of the owner of a new workspace. */
  key: string | null
  rows: Record<Table, number>
}

/** The demo cannot be made; the message is one line for people. */
export class DemoError extends Error {}

const span = 2 * 365 * 86_400_000
/** Large enough that statements are few, small enough that memory stays flat. */
const batchSize = 5_000
/** So many are made before the connection gets a turn. */
const sliceSize = 100

export async function buildDemo(pool: Pool, options: DemoOptions): Promise<DemoResult> {
  const result = await pool.begin(async (tx) => {
    const target = options.space
      ? { id_space: await requireEmpty(tx, options.space, options.add), key: null }
      : await newSpace(tx, options.now)
    await expectManyRows(tx)
    if (target.key !== null) await trustReferences(tx)
    return { ...target, rows: await fillSpace(tx, target.id_space, options) }
  })
  await tidyUp(pool)
  return result
}

async function requireEmpty(tx: Db, space: string, add: boolean): Promise<string> {
  if (!isId(space) || !(await selectSpace(tx, space))) {
    throw new DemoError(`There is no workspace ${space}. See: npm run rapport -- spaces list`)
  }
  await lockSpace(tx, space)
  const { live } = await countLeads(tx, space)
  if (live > 0 && !add) {
    throw new DemoError(`The workspace has ${live} leads already. To add to them, say --add.`)
  }
  return space
}

async function newSpace(tx: Db, now: Date) {
  const id_space = newId()
  const created_at = now.toISOString()
  await insertSpace(tx, { id_space, name: 'Demo', time_zone: 'UTC', created_at })
  const ids = team.map(() => newId())
  for (const [index, person] of team.entries()) {
    await insertMember(tx, { ...person, id_space, id: ids[index] as string, created_at })
  }
  const owner = { id_space, id_member: ids[0] as string }
  const { key } = await issueKey(tx, { ...owner, role: 'admin', name: 'Demo', created_at })
  return { id_space, key }
}

async function fillSpace(tx: Db, space: string, options: DemoOptions): Promise<DemoResult['rows']> {
  const { leads, seed, now, onProgress, signal } = options
  const members = (await selectMembers(tx, space)).map(({ id }) => id)
  if (members.length === 0) throw new DemoError('The workspace has no members.')
  const before = await countLeads(tx, space)
  // What is added to a workspace is not what is there already once more.
  const random = createRandom(seed, before.leads)
  const start = new Date(now.getTime() - span)
  const furniture = await furnish(tx, space, random, { start, now })
  const timeZone = await timeZoneOf(tx, space)
  const nextTime = (cron: string) => (nextOccurrence(cron, timeZone, now) as Date).toISOString()
  const people = createPeople(random, before.companies)
  const stories = createStories(random, { furniture, members, now: now.getTime(), nextTime })

  const counts = Object.fromEntries(tables.map((name) => [name, 0])) as Record<Table, number>
  let sent: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < leads; ) {
    if (signal?.aborted) throw new DemoError('Stopped: nothing was kept.')
    const rows = emptyRows()
    for (const end = Math.min(done + batchSize, leads); done < end; done++) {
      // More and more of them over the time, the last one right now.
      const age = (1 - (done + random.next()) / leads) ** 1.3
      stories.tell(rows, people.next(Math.floor(now.getTime() - span * age)))
      if (done % sliceSize === 0) await setImmediate()
    }
    await sent
    // The database works on this batch while the next one is made.
    sent = Promise.all(tables.map((table) => insertRows(tx, space, table, rows[table])))
    // A failure is met at the next await; until then it is nobody's.
    sent.catch(() => {})
    for (const table of tables) counts[table] += rows[table].length
    onProgress?.(done)
  }
  await sent
  await changeCount(tx, space, counts.lead)
  return counts
}

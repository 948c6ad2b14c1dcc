// Fires reminders that are due. Several processes may run this on one database. Claiming a reminder,
// recording that it fired and its events are one transaction, so a process that dies in between leaves the
// reminder due. The primary key of reminder_firing refuses a second firing for the same date.
import { type Db, isUnavailable, type Pool, transaction } from '../../db/driver.ts'
import type { LoopLog } from '../../every.ts'
import { authorOf } from '../../feed/author.ts'
import { recordAllUpdated, recordMany } from '../../feed/record.sql.ts'
import { selectExistingLeads } from '../leads/row/existing.sql.ts'
import {
  type Advance,
  type Advanced,
  advanceReminders,
  type Due,
  type Firing,
  insertFirings,
  lockUnclaimed,
  type Position,
  selectDue,
  selectUsers,
} from './reminders.firing.sql.ts'
import { nextOccurrence, timeZoneOf } from './reminders.recurrence.ts'

export interface FiringOptions {
  db: Pool
  clock: () => Date
  log: LoopLog
  /** When aborted, firing stops after the current workspace. */
  signal?: AbortSignal
  /** Called after reminders of the workspace have fired or advanced. */
  onChange?: (space: string) => void
}

/** How many reminders one query returns. */
const batchSize = 500

/** Fires all reminders that are due now. Returns how many. */
export async function fireReminders(options: FiringOptions): Promise<number> {
  const { db, clock, log, signal, onChange } = options
  const now = clock()
  let fired = 0
  let after: Position | undefined
  // One pass through all due reminders. Those that fail are left for the next call.
  do {
    const due = await selectDue(db, now, after, batchSize)
    for (const [space, reminders] of groupBySpace(due)) {
      if (signal?.aborted) return fired
      fired += await fireOrLog(db, space, reminders, now, log)
      onChange?.(space)
    }
    after = due.length === batchSize ? due.at(-1) : undefined
  } while (after)
  return fired
}

/** A workspace that fails does not stop the others. */
async function fireOrLog(
  db: Pool,
  space: string,
  due: Due[],
  now: Date,
  log: LoopLog,
): Promise<number> {
  try {
    return await transaction(db, (tx) => fire(tx, space, due, now, log))
  } catch (error) {
    if (isUnavailable(error)) throw error
    log.error({ err: error, id_space: space }, 'cannot fire reminders')
    return 0
  }
}

async function fire(
  tx: Db,
  space: string,
  candidates: Due[],
  now: Date,
  log: LoopLog,
): Promise<number> {
  const ids = candidates.map(({ id }) => id)
  const claimed = await lockUnclaimed(tx, space, ids)
  if (claimed.size === 0) return 0
  const mine = candidates.filter(({ id }) => claimed.has(id))
  const advances = await planAdvances(tx, space, mine, now, log)
  const advanced = await advanceReminders(tx, space, advances, now)
  const dueById = new Map(mine.map((reminder) => [reminder.id, reminder]))
  const leads = advanced.flatMap(({ id_lead }) => id_lead ?? [])
  const live = await selectExistingLeads(tx, space, leads)
  // Reminders of deleted leads advance without a firing; otherwise every call would pick them again.
  const firing = advanced.filter(({ id_lead }) => id_lead === null || live.has(id_lead))
  const firings = await firingsOf(tx, space, firing, dueById)
  const fired = await insertFirings(tx, space, firings, now)

  const by = authorOf('schedule', space, now)
  const due = firings.filter(({ id_reminder }) => fired.has(id_reminder)).map(dueEvent)
  await recordMany(tx, by, 'reminder.due', due)
  const before = advanced.map((row) => ({
    ...row,
    date: dueById.get(row.id)?.date,
    is_done: claimed.get(row.id),
  }))
  await recordAllUpdated(tx, by, 'reminder', before, advanced, leadsOf)
  return fired.size
}

async function firingsOf(
  tx: Db,
  space: string,
  reminders: Advanced[],
  dueById: Map<string, Due>,
): Promise<Firing[]> {
  const ids = reminders.map(({ id }) => id)
  const users = await selectUsers(tx, space, ids)
  return reminders.map(({ id, name, id_lead, ressource_link }) => {
    const { date = '', cron = '' } = dueById.get(id) ?? {}
    const members = users.filter((row) => row.id_reminder === id).map((row) => row.id_member)
    const payload = { name, id_lead, ressource_link, cron, users: members }
    return { id_reminder: id, due_at: date, payload }
  })
}

const leadsOf = ({ id_lead }: Pick<Advanced, 'id_lead'>) => (id_lead === null ? [] : [id_lead])

/** Says what the firing says, so that a client can show the reminder without reading it. */
function dueEvent({ id_reminder, due_at, payload }: Firing) {
  const said = Object.entries({ ...payload, date: due_at })
  return {
    ids: [id_reminder],
    leads: leadsOf(payload),
    changed: Object.fromEntries(
      said.map(([name, value]): [string, [null, unknown]] => [name, [null, value]]),
    ),
  }
}

/**
 * The next occurrence is always after now. So occurrences that were missed during a stop become one
 * firing.
 */
async function planAdvances(
  tx: Db,
  space: string,
  due: Due[],
  now: Date,
  log: LoopLog,
): Promise<Advance[]> {
  const timeZone = due.some(({ cron }) => cron) ? await timeZoneOf(tx, space) : 'UTC'
  const known = new Map<string, string | null>([['', null]])
  return due.map((reminder) => {
    const { id, cron } = reminder
    if (!known.has(cron)) {
      known.set(cron, nextOccurrence(cron, timeZone, now)?.toISOString() ?? null)
    }
    const next = known.get(cron) ?? null
    if (cron && !next) {
      log.error({ id_space: space, id_reminder: id, cron }, 'reminder has no next occurrence')
    }
    return { ...reminder, next }
  })
}

function groupBySpace(due: Due[]): Map<string, Due[]> {
  const groups = new Map<string, Due[]>()
  for (const reminder of due) {
    const group = groups.get(reminder.id_space)
    if (group) group.push(reminder)
    else groups.set(reminder.id_space, [reminder])
  }
  return groups
}

// Reminders that come due. Any number of processes may run this on one database: what one of them
// claims and the event it writes are one transaction, so a process that dies in between leaves the
// reminder as due as it was, and the event table takes no second event for the same date.
import { type Db, isUnavailable, type Pool, transaction } from '../db/connect.ts'
import { newId } from '../ids.ts'
import { nextOccurrence, timeZoneOf } from '../resources/reminders/recurrence.ts'
import {
  type Due,
  insertEvents,
  lockFree,
  type Position,
  type Step,
  selectDue,
  selectLiveLeads,
  selectUsers,
  takeSteps,
} from './scheduler.sql.ts'

export interface Scheduler {
  /** Does all that is due now. Answers how many reminders fired. */
  tick(): Promise<number>
  start(): void
  /** Waits for the work in hand. */
  stop(): Promise<void>
}

export interface SchedulerOptions {
  db: Pool
  clock: () => Date
  log: { info(text: string): void; error(about: object, text: string): void }
  intervalMs?: number
}

/** How many reminders one scan brings. */
const batchSize = 500

export function createScheduler({
  db,
  clock,
  log,
  intervalMs = 1000,
}: SchedulerOptions): Scheduler {
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let isFailing = false

  async function tick(): Promise<number> {
    const now = clock()
    let fired = 0
    let after: Position | undefined
    // One walk through what is due: what fails on the way is for the next tick, not for this one.
    do {
      const due = await selectDue(db, now, after, batchSize)
      for (const [space, reminders] of bySpace(due)) {
        if (isStopping) break
        fired += await fireOrLog(space, reminders, now)
      }
      after = due.length === batchSize ? due.at(-1) : undefined
    } while (after && !isStopping)
    return fired
  }

  /** A workspace that fails does not stop the others. */
  async function fireOrLog(space: string, due: Due[], now: Date): Promise<number> {
    try {
      return await transaction(db, (tx) => fire(tx, space, due, now))
    } catch (error) {
      if (isUnavailable(error)) throw error
      log.error({ err: error, id_space: space }, 'reminders could not fire')
      return 0
    }
  }

  async function fire(tx: Db, space: string, due: Due[], now: Date): Promise<number> {
    const free = await lockFree(
      tx,
      space,
      due.map(({ id }) => id),
    )
    if (free.size === 0) return 0
    const mine = due.filter(({ id }) => free.has(id))
    const taken = await takeSteps(tx, space, await planSteps(tx, space, mine, now), now)
    const live = await selectLiveLeads(
      tx,
      space,
      taken.flatMap(({ id_lead }) => id_lead ?? []),
    )
    // One of a deleted lead has taken its step in silence, so that it is not looked at for ever.
    const telling = taken.filter(({ id_lead }) => id_lead === null || live.has(id_lead))
    if (telling.length === 0) return 0
    const users = await selectUsers(
      tx,
      space,
      telling.map(({ id }) => id),
    )
    const read = new Map(mine.map((reminder) => [reminder.id, reminder]))
    const events = telling.map(({ id, ...told }) => {
      const { date = '', cron = '' } = read.get(id) ?? {}
      const members = users.filter((row) => row.id_reminder === id).map((row) => row.id_member)
      return {
        id: newId(),
        type: 'reminder.due' as const,
        id_reminder: id,
        due_at: date,
        payload: { ...told, cron, users: members },
      }
    })
    return insertEvents(tx, space, events, now)
  }

  /** After a long stop too, the next occurrence is one that lies ahead: what was missed is one firing. */
  async function planSteps(tx: Db, space: string, due: Due[], now: Date): Promise<Step[]> {
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

  async function run(): Promise<void> {
    try {
      await tick()
      if (isFailing) log.info('reminders fire again')
      isFailing = false
    } catch (error) {
      // Once, not every second: the database may be away for a while.
      if (!isFailing) log.error({ err: error }, 'reminders cannot fire')
      isFailing = true
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = run().then(() => {
        if (!isStopping) schedule()
      })
    }, intervalMs)
  }

  return {
    tick,
    start: schedule,
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}

function bySpace(due: Due[]): Map<string, Due[]> {
  const groups = new Map<string, Due[]>()
  for (const reminder of due) {
    const group = groups.get(reminder.id_space)
    if (group) group.push(reminder)
    else groups.set(reminder.id_space, [reminder])
  }
  return groups
}

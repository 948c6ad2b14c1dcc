// Sends what is due, while the service runs. Several processes may do so on one database: each row of the queue has one
// worker at a time, which holds a lease. Without rows, this has no timer and sends no query.
import { setMaxListeners } from 'node:events'
import { isUnavailable, type Pool } from '../db/driver.ts'
import { openSecondPool } from '../db/lock-limit.ts'
import type { LoopLog } from '../every.ts'
import type { Feed } from '../feed/feed.ts'
import { newId } from '../ids.ts'
import { timeoutMs } from './post.ts'
import {
  type Claimed,
  claim,
  type Job,
  markDue,
  type Outcome,
  release,
  selectNextDue,
  selectQueuedSpaces,
} from './queue.sql.ts'

export interface Turn {
  /** Aborted when the service stops: finish the attempt, and begin no other. */
  stopping: AbortSignal
  /** Aborted a little later: attempts end. */
  stopped: AbortSignal
  /** When a lease that is taken or renewed now expires. */
  leaseEnd(): Date
}

/** Sends what one row of the queue has to send. */
export type Perform = (db: Pool, job: Job, turn: Turn) => Promise<Outcome>

export interface Dispatcher {
  start(): void
  /** Looks at the clock and at the queue. */
  look(): void
  stop(): Promise<void>
}

export interface DispatcherOptions {
  db: Pool
  clock: () => Date
  feed: Pick<Feed, 'hub' | 'onQueued'>
  log: LoopLog
  perform: Perform
  /** A limit on its statements; 0: none. */
  statementMs?: number
}

/**
 * Workers of this process. Those that fail may each take as long as an attempt: others do not wait for them. Nor for
 * those whose attempt has become slow: many receivers may stop answering at the same time.
 */
const slots = { healthy: 48, failing: 16, slow: 200 }
/** Of one workspace, so that the others have some too. It may be some more: several are claimed at a time. */
const slotsPerSpace = { all: 24, slow: 100 }
/** An attempt that takes longer is slow. */
const slowMs = 1_000
const claimedAtOnce = 8
/** They are at the database for a small part of the time. */
const connections = 4
/** Longer than an attempt takes. */
const leaseMs = 2 * timeoutMs
/** Rows of other processes that have died are found after this time at the latest. */
const sweepMs = 60_000
const leastPauseMs = 50
/** How long attempts may go on when the service stops. */
const lastAttemptMs = 5_000

interface Worker {
  /** When its attempt began. */
  since: number
  done: Promise<void>
}

const isSlow = ({ since }: Worker) => performance.now() - since > slowMs

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, feed, log, perform, statementMs } = options
  const db = openSecondPool(options.db, connections, statementMs)
  const stopping = new AbortController()
  const stopped = new AbortController()
  // One for each attempt.
  setMaxListeners(0, stopped.signal)
  const running = new Map<Claimed, Worker>()
  /** Workspaces that have rows in the queue, and those of them that have new events. */
  let queued = new Set<string>()
  let woken = new Set<string>()
  let looking: Promise<void> | undefined
  let isToLookAgain = false
  let isFailing = false
  let timer: NodeJS.Timeout | undefined

  const leaseEnd = () => new Date(clock().getTime() + leaseMs)

  function look(): void {
    isToLookAgain = true
    if (stopping.signal.aborted || looking) return
    clearTimeout(timer)
    looking = lookNow()
      .then(
        (pauseMs) => {
          if (isFailing) log.info('deliveries work again')
          isFailing = false
          return pauseMs
        },
        (error) => {
          if (!isFailing) log.error({ err: error }, 'deliveries fail')
          isFailing = true
          return 1_000
        },
      )
      .then((pauseMs) => {
        looking = undefined
        if (isToLookAgain) look()
        else if (pauseMs !== undefined && !stopping.signal.aborted)
          timer = setTimeout(look, pauseMs)
      })
  }

  /** Returns when to look again. Undefined: not before something happens. */
  async function lookNow(): Promise<number | undefined> {
    isToLookAgain = false
    if (queued.size === 0) return undefined
    const now = clock()
    if (woken.size > 0) {
      const spaces = [...woken]
      woken.clear()
      await markDue(db, spaces, now).catch((error) => {
        for (const space of spaces) woken.add(space)
        throw error
      })
    }
    const [free, full] = [freeSlots(), fullSpaces()]
    const wanted = { ...free, full, now, until: leaseEnd(), lease: newId() }
    const jobs = await claim(db, wanted)
    for (const job of jobs) work(job)
    // There may be more.
    if (jobs.length > 0) isToLookAgain = true
    const next = await selectNextDue(db, now)
    if (next === null && running.size === 0) {
      const spaces = await selectQueuedSpaces(db)
      // Otherwise one may have been added in the meantime.
      if (!isToLookAgain) queued = new Set(spaces)
    }
    const untilNext = next === null ? sweepMs : Date.parse(next) - clock().getTime()
    // Those that have slots may become slow.
    const longest = free.healthy <= 0 || full.length > 0 ? slowMs : sweepMs
    return Math.max(leastPauseMs, Math.min(untilNext, longest))
  }

  function freeSlots() {
    const jobs = [...running]
    const failing = jobs.filter(([job]) => job.is_failing).length
    const slow = jobs.filter(([job, worker]) => !job.is_failing && isSlow(worker)).length
    const quick = running.size - failing - slow
    const healthy = Math.min(slots.healthy, slots.healthy + slots.slow - slow) - quick
    return {
      healthy: Math.min(healthy, claimedAtOnce),
      failing: Math.min(slots.failing - failing, claimedAtOnce),
    }
  }

  function fullSpaces(): string[] {
    const counts = new Map<string, { quick: number; slow: number }>()
    for (const [{ id_space }, worker] of running) {
      const count = counts.get(id_space) ?? { quick: 0, slow: 0 }
      count[isSlow(worker) ? 'slow' : 'quick']++
      counts.set(id_space, count)
    }
    return [...counts]
      .filter(([, { quick, slow }]) => quick >= slotsPerSpace.all || slow >= slotsPerSpace.slow)
      .map(([space]) => space)
  }

  function work(job: Claimed): void {
    const worker: Worker = { since: performance.now(), done: Promise.resolve() }
    const turn: Turn = {
      stopping: stopping.signal,
      stopped: stopped.signal,
      // Asked for after each attempt.
      leaseEnd() {
        worker.since = performance.now()
        return leaseEnd()
      },
    }
    worker.done = perform(db, job, turn)
      .then((outcome) => release(db, job, outcome))
      // The lease expires, and the next one tries again.
      .catch((error) => {
        if (isUnavailable(error)) return
        log.error({ err: error, id_space: job.id_space, id: job.id }, 'cannot deliver')
      })
      .finally(() => {
        running.delete(job)
        look()
      })
    running.set(job, worker)
  }

  /** After a start, and after notifications may have been lost. */
  async function lookEverywhere(): Promise<void> {
    queued = new Set(await selectQueuedSpaces(db))
    woken = new Set(queued)
    look()
  }

  function start(): void {
    const everywhere = () => {
      if (stopping.signal.aborted) return
      lookEverywhere().catch((error) => {
        // A timer would keep the process from ending.
        if (stopping.signal.aborted) return
        log.error({ err: error }, 'cannot read the queue of deliveries')
        timer = setTimeout(everywhere, 1_000)
      })
    }
    feed.hub.subscribe((space) => {
      if (space === undefined) return everywhere()
      if (!queued.has(space)) return
      woken.add(space)
      look()
    })
    feed.onQueued((space) => {
      queued.add(space)
      look()
    })
    everywhere()
  }

  return {
    start,
    look,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      const end = setTimeout(() => stopped.abort(), lastAttemptMs)
      await Promise.all([...running.values()].map(({ done }) => done))
      clearTimeout(end)
      await db.end({ timeout: 5 })
    },
  }
}

// Semaphores: a limited number of tasks run at a time, and the others wait in a queue. A task that
// cannot wait, or has waited too long, is refused with 503 before it has begun.
import { unavailable } from '@rapport/contract/errors'

interface QueueOptions {
  /** How many tasks may wait. Default: any number. */
  maxWaiting?: number
  /** How long a task may wait. Default: without end. */
  waitLimitMs?: number
}

interface SemaphoreOptions extends QueueOptions {
  /** How many tasks run at a time. */
  slots: number
}

interface Waiter {
  space: string
  start(): void
}

/** Joins the queue, in the order of arrival. Resolves when `start` is called. */
function waitIn(queue: Set<Waiter>, space: string, options: QueueOptions): Promise<void> {
  const { maxWaiting = Number.POSITIVE_INFINITY, waitLimitMs } = options
  return new Promise((resolve, reject) => {
    if (queue.size >= maxWaiting) return reject(unavailable())
    let timer: NodeJS.Timeout | undefined
    const waiter = {
      space,
      start() {
        queue.delete(waiter)
        clearTimeout(timer)
        resolve()
      },
    }
    queue.add(waiter)
    if (waitLimitMs === undefined) return
    timer = setTimeout(() => {
      queue.delete(waiter)
      reject(unavailable())
    }, waitLimitMs)
  })
}

export type Semaphore = <T>(space: string, work: () => Promise<T> | T) => Promise<T>

/** First come, first served. Every ordinary request passes here, so it does no more than it must. */
export function createSemaphore({ slots, ...options }: SemaphoreOptions): Semaphore {
  const queue = new Set<Waiter>()
  let free = slots

  return async (space, work) => {
    if (free > 0) free--
    else await waitIn(queue, space, options)
    try {
      return await work()
    } finally {
      // The slot passes to the first waiter.
      const next = queue.values().next().value
      if (next) next.start()
      else free++
    }
  }
}

/**
 * At most half the slots go to one workspace. A free slot goes to the workspace with the fewest running
 * tasks, so a busy workspace slows only itself.
 */
export function createFairSemaphore({ slots, ...options }: SemaphoreOptions): Semaphore {
  const slotsPerSpace = Math.ceil(slots / 2)
  const running = new Map<string, number>()
  const queue = new Set<Waiter>()
  let free = slots
  const runningOf = (space: string) => running.get(space) ?? 0
  const mayStart = (space: string) => free > 0 && runningOf(space) < slotsPerSpace

  function acquire(space: string): void {
    free--
    running.set(space, runningOf(space) + 1)
  }

  function release(space: string): void {
    free++
    if (runningOf(space) === 1) running.delete(space)
    else running.set(space, runningOf(space) - 1)
    let next: Waiter | undefined
    for (const waiter of queue) {
      if (!mayStart(waiter.space)) continue
      if (!next || runningOf(waiter.space) < runningOf(next.space)) next = waiter
    }
    if (!next) return
    // The slot is taken here, not by the waiter: that one continues later, and until then a new task
    // could take the same slot.
    acquire(next.space)
    next.start()
  }

  return async (space, work) => {
    if (mayStart(space)) acquire(space)
    else await waitIn(queue, space, options)
    try {
      return await work()
    } finally {
      release(space)
    }
  }
}

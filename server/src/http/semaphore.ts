// A semaphore that is fair: a limited number of tasks run at a time, and the others wait. A task that cannot
// wait, or has waited too long, is refused with 503 before it has begun.
import { unavailable } from '@rapport/contract/errors'

/** Whose task it is. */
export interface Who {
  space: string
  /** The API key or session. */
  key: string
}

export interface SemaphoreOptions {
  /** How many tasks run at a time. */
  slots: number
  /** Of one workspace. Default: all. */
  slotsPerSpace?: number
  /** Of one key. Default: as many as of its workspace. */
  slotsPerKey?: number
  /** How many tasks of one workspace may wait. Default: any number. */
  maxWaiting?: number
  /** How long a task may wait. Default: no limit. */
  waitLimitMs?: number
}

/** Does the work when it is its turn. */
export type InTurn = <T>(who: Who, work: () => Promise<T> | T) => Promise<T>

export interface Semaphore extends InTurn {
  count: () => QueueCounts
}

/** Of tasks. */
export interface QueueCounts {
  /** As many can run at a time. */
  slots: number
  running: number
  waiting: number
}

/** The tasks of one key. */
interface Lane {
  running: number
  /** What starts the tasks that wait, in the order of arrival. */
  waiting: Set<() => void>
}

/** The tasks of one workspace. */
interface Group {
  running: number
  waiting: number
  lanes: Map<string, Lane>
}

/**
 * A free slot goes to the workspace with the fewest running tasks, and in it to the key with the fewest. Among
 * equals, to the one that was served longest ago. So heavy users slow down only themselves. Every request
 * passes here, so this does no more than it must.
 */
export function createFairSemaphore({
  slots,
  slotsPerSpace = slots,
  slotsPerKey = slotsPerSpace,
  maxWaiting = Number.POSITIVE_INFINITY,
  waitLimitMs,
}: SemaphoreOptions): Semaphore {
  /** Those served last come last. */
  const groups = new Map<string, Group>()
  let free = slots

  function laneOf({ space, key }: Who): [Group, Lane] {
    const group = groups.get(space) ?? { running: 0, waiting: 0, lanes: new Map() }
    const lane = group.lanes.get(key) ?? { running: 0, waiting: new Set() }
    if (group.running + group.waiting === 0) groups.set(space, group)
    if (lane.running + lane.waiting.size === 0) group.lanes.set(key, lane)
    return [group, lane]
  }

  function acquire(group: Group, lane: Lane): void {
    free--
    group.running++
    lane.running++
  }

  function forget({ space, key }: Who, group: Group, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.size === 0) group.lanes.delete(key)
    if (group.running === 0 && group.waiting === 0) groups.delete(space)
  }

  function startNext(): void {
    if (free === 0) return
    const mayRun = (group: Group) => group.waiting > 0 && group.running < slotsPerSpace
    const mayStart = (lane: Lane) => lane.waiting.size > 0 && lane.running < slotsPerKey
    // A workspace whose waiting keys have all they may have is passed over.
    const withTurn = (group: Group) => mayRun(group) && fewest(group.lanes, mayStart) !== undefined
    const next = fewest(groups, withTurn)
    if (!next) return
    const [space, group] = next
    const [key, lane] = fewest(group.lanes, mayStart) as [string, Lane]
    toTheEnd(groups, space, group)
    toTheEnd(group.lanes, key, lane)
    // The slot is taken here, not by the waiter: that one continues later, and until then a new task could
    // take the same slot.
    acquire(group, lane)
    const [start] = lane.waiting
    start?.()
  }

  function wait(who: Who, group: Group, lane: Lane): Promise<void> {
    return new Promise((resolve, reject) => {
      if (group.waiting >= maxWaiting) return reject(unavailable())
      const leave = () => {
        group.waiting--
        lane.waiting.delete(start)
      }
      const start = () => {
        leave()
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        leave()
        forget(who, group, lane)
        reject(unavailable())
      }
      const timer = waitLimitMs === undefined ? undefined : setTimeout(giveUp, waitLimitMs)
      group.waiting++
      lane.waiting.add(start)
    })
  }

  const inTurn: InTurn = async (who, work) => {
    const [group, lane] = laneOf(who)
    if (free > 0 && group.running < slotsPerSpace && lane.running < slotsPerKey) {
      acquire(group, lane)
    } else {
      await wait(who, group, lane)
    }
    try {
      return await work()
    } finally {
      free++
      group.running--
      lane.running--
      forget(who, group, lane)
      startNext()
    }
  }
  const count = () => ({
    ...{ slots, running: slots - free },
    waiting: [...groups.values()].reduce((sum, group) => sum + group.waiting, 0),
  })
  return Object.assign(inTurn, { count })
}

/** The first of those with the fewest running tasks. */
function fewest<T extends { running: number }>(
  all: Map<string, T>,
  isOne: (one: T) => boolean,
): [string, T] | undefined {
  let found: [string, T] | undefined
  for (const entry of all) {
    if (isOne(entry[1]) && (!found || entry[1].running < found[1].running)) found = entry
  }
  return found
}

function toTheEnd<T>(all: Map<string, T>, name: string, one: T): void {
  all.delete(name)
  all.set(name, one)
}

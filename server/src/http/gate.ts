// Work that has to wait for its turn.
import { unavailable } from '@rapport/contract/errors'

/**
 * Lets so many through at a time, one after another. Every request passes here, so it does little.
 */
export function createRow({
  places,
  maxWaiting,
  patienceMs,
}: {
  places: number
  maxWaiting: number
  patienceMs: number
}) {
  let free = places
  const waiting = new Set<() => void>()

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(unavailable())
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(unavailable())
      }, patienceMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })

  return async <T>(work: () => Promise<T> | T): Promise<T> => {
    if (free > 0) free--
    else await turn()
    try {
      return await work()
    } finally {
      // The place goes to the first of those who wait.
      const next = waiting.values().next().value
      if (next) {
        waiting.delete(next)
        next()
      } else free++
    }
  }
}

export type Gate = <T>(space: string, work: () => Promise<T> | T) => Promise<T>

interface GateOptions {
  places: number
  maxWaiting?: number
  patienceMs?: number
}

/**
 * Lets so many through at a time, half of them at most of one workspace; the others wait in a row, and
 * give up after a while. Next is the workspace that has the fewest at it. So who has much to do delays
 * themselves, not the others.
 */
export function createGate({
  places,
  maxWaiting = Number.POSITIVE_INFINITY,
  patienceMs,
}: GateOptions): Gate {
  const placesOfOne = Math.ceil(places / 2)
  const running = new Map<string, number>()
  const waiting = new Set<{ space: string; go: () => void }>()
  let free = places
  const runningOf = (space: string) => running.get(space) ?? 0
  const mayEnter = (space: string) => free > 0 && runningOf(space) < placesOfOne

  function enter(space: string): void {
    free--
    running.set(space, runningOf(space) + 1)
  }

  function leave(space: string): void {
    free++
    if (runningOf(space) === 1) running.delete(space)
    else running.set(space, runningOf(space) - 1)
    let next: { space: string; go: () => void } | undefined
    for (const each of waiting) {
      if (!mayEnter(each.space)) continue
      if (!next || runningOf(each.space) < runningOf(next.space)) next = each
    }
    if (!next) return
    waiting.delete(next)
    enter(next.space)
    next.go()
  }

  const turn = (space: string) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(unavailable())
      let timer: NodeJS.Timeout | undefined
      const me = {
        space,
        go() {
          clearTimeout(timer)
          resolve()
        },
      }
      waiting.add(me)
      if (patienceMs === undefined) return
      timer = setTimeout(() => {
        waiting.delete(me)
        reject(unavailable())
      }, patienceMs)
    })

  return async (space, work) => {
    if (mayEnter(space)) enter(space)
    else await turn(space)
    try {
      return await work()
    } finally {
      leave(space)
    }
  }
}

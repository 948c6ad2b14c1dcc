// Work that has to wait for its turn.
import { unavailable } from './errors.ts'

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

/** Work that has taken so long is no small change of a few records. */
const longMs = 3_000

interface GateOptions {
  places: number
  maxWaiting?: number
  patienceMs?: number
  now: () => number
}

/**
 * Lets so many through at a time; the others wait in a row, and give up after a while. Next is the
 * workspace that has the fewest at it. One whose work takes long has half of the places: it delays
 * itself, not the others.
 */
export function createGate({
  places,
  maxWaiting = Number.POSITIVE_INFINITY,
  patienceMs,
  now,
}: GateOptions): Gate {
  const running = new Set<{ space: string; since: number }>()
  const waiting = new Set<{ space: string; go: () => void }>()

  function mayEnter(space: string): boolean {
    if (running.size >= places) return false
    const long = [...running].filter((work) => work.space === space && now() - work.since >= longMs)
    return long.length < Math.ceil(places / 2)
  }

  function letIn(): void {
    const countOf = (space: string) => [...running].filter((work) => work.space === space).length
    while (waiting.size > 0 && running.size < places) {
      const [next] = [...waiting]
        .filter(({ space }) => mayEnter(space))
        .map((waiter) => ({ waiter, busy: countOf(waiter.space) }))
        .sort((a, b) => a.busy - b.busy)
      if (!next) return
      waiting.delete(next.waiter)
      next.waiter.go()
    }
  }

  function begin(space: string) {
    const work = { space, since: now() }
    running.add(work)
    return work
  }

  const turn = (space: string) =>
    new Promise<ReturnType<typeof begin>>((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(unavailable())
      let timer: NodeJS.Timeout | undefined
      const me = {
        space,
        go() {
          clearTimeout(timer)
          resolve(begin(space))
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
    const mine = mayEnter(space) ? begin(space) : await turn(space)
    try {
      return await work()
    } finally {
      running.delete(mine)
      letIn()
    }
  }
}

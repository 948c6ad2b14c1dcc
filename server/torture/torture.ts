// What every torture is: a promise of the service, and a run that would catch a breach of it.

export interface Torture {
  name: string
  /** One line for people: what it does to the service. */
  summary: string
  /** `short` takes seconds and runs with the tests, `long` is what `npm run torture` runs. */
  run(size: Size, context: Context): Promise<Figures>
}

export type Size = 'short' | 'long'

export interface Context {
  /** The same seed makes the same decisions. */
  random: Random
  /** Progress, for people. */
  say(line: string): void
  /** Set when the run is to end early: by Ctrl-C or because its time is over. */
  signal: AbortSignal
}

/** What was done and seen, for docs/RELIABILITY.md: "writes that were answered" → 12345. */
export type Figures = Record<string, string | number>

/** A promise was broken. The message says which, and what was seen. */
export class Breach extends Error {}

export interface Random {
  readonly seed: number
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
  /** A generator of its own for one of several who draw at the same time. */
  fork(): Random
}

/** Small, fast and repeatable: a 32-bit counter, well mixed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    seed,
    next,
    int,
    pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
    chance: (probability) => next() < probability,
    fork: () => seeded(int(0, 2 ** 32 - 1)),
  }
}

/** Runs them at the same time. When one throws, the others end at their next look at `goesOn`. */
export async function together(
  lanes: ((goesOn: () => boolean) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  let failed = false
  const goesOn = () => !failed && !signal.aborted
  const results = await Promise.allSettled(
    lanes.map((lane) =>
      lane(goesOn).catch((error) => {
        failed = true
        throw error
      }),
    ),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

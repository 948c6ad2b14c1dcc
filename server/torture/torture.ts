// A torture tries to break one promise of the service.
import type { Random } from '../src/random.ts'

export interface Torture {
  name: string
  /** One line for people: what it does to the service. */
  summary: string
  /** It runs only when it is named: it needs more than a clone. */
  isOnRequest?: true
  /** `short` takes seconds and runs with the tests. `long` is what `npm run torture` runs. */
  run(size: Size, context: Context): Promise<Figures>
}

export type Size = 'short' | 'long'

export interface Context {
  /** The same seed makes the same decisions. */
  random: Random
  /** Prints progress. */
  say(line: string): void
  /** Aborted when the run must end early: by Ctrl-C, or because its time is over. */
  signal: AbortSignal
  /** How many requests fuzz sends, instead of those of its size. */
  requests?: number | undefined
  /** How often crash, client, webhooks and mail kill, instead of as its size says. */
  kills?: number | undefined
  /** Not on the bundled PostgreSQL, but on a Citus cluster. */
  isOnCluster?: boolean
}

/** What was done and seen, for docs/RELIABILITY.md: "writes answered" → 12345. */
export type Figures = Record<string, string | number>

/** A torture that ran to its end without a breach. */
export interface Outcome {
  name: string
  figures: Figures
  seconds: number
}

/** A promise was broken. The message says which, and what was seen. */
export class Breach extends Error {}

/** Runs all lanes concurrently. When one throws, `goesOn` tells the others to end. */
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

// Long work yields the event loop every few milliseconds.
import { setImmediate } from 'node:timers/promises'

const sliceMs = 8

/** One slice in each turn of the event loop, however many imports are at work. */
let queue: Promise<void> = Promise.resolve()

export class Pace {
  readonly #signal: AbortSignal | undefined
  #since = performance.now()

  /** Aborting ends the work at the next pause. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Whether it is time to rest: `if (pace.isDue) await pace.rest()` between small steps. */
  get isDue(): boolean {
    return performance.now() - this.#since >= sliceMs
  }

  async rest(): Promise<void> {
    queue = queue.then(() => setImmediate())
    await queue
    this.#signal?.throwIfAborted()
    this.#since = performance.now()
  }

  /** Small steps with pauses. */
  async map<T, R>(items: T[], step: (item: T, index: number) => R): Promise<R[]> {
    const results: R[] = []
    for (const [index, item] of items.entries()) {
      results.push(step(item, index))
      if (this.isDue) await this.rest()
    }
    return results
  }
}

// Delays the response to wrong keys, longer with each wrong key from the same address. It does not block
// the address: keys are too long to guess, and others may share the address, for example behind one
// router. The right key is never delayed.
import { setTimeout as delay } from 'node:timers/promises'

export interface AttemptOptions {
  clock: () => Date
  /** How many responses are delayed at a time. More are sent without a delay. */
  maxWaiting: number
  sleep?: ((ms: number) => Promise<unknown>) | undefined
}

/** Wrong keys without a delay, so that a person who pastes a wrong key a few times does not notice. */
const freeAttempts = 10
const windowMs = 5 * 60_000
const firstMs = 250
const longestMs = 5_000
/** How many addresses are remembered. The oldest are forgotten first. */
const maxAddresses = 10_000

export interface Attempts {
  /** Call it after a wrong key. Returns their number when this is the first that was delayed. */
  failed(address: string): Promise<number | undefined>
}

export function createAttempts({ clock, maxWaiting, sleep = delay }: AttemptOptions): Attempts {
  const failures = new Map<string, { count: number; since: number }>()
  let waiting = 0

  function count(address: string): number {
    const now = clock().getTime()
    const known = failures.get(address)
    if (known && Math.abs(now - known.since) < windowMs) return ++known.count
    failures.delete(address)
    if (failures.size >= maxAddresses) {
      for (const oldest of failures.keys()) {
        failures.delete(oldest)
        break
      }
    }
    failures.set(address, { count: 1, since: now })
    return 1
  }

  return {
    async failed(address) {
      const attempts = count(address)
      const beyond = attempts - freeAttempts
      if (beyond > 0 && waiting < maxWaiting) {
        waiting++
        await sleep(Math.min(longestMs, firstMs * 2 ** (beyond - 1)))
        waiting--
      }
      return beyond === 1 ? attempts : undefined
    },
  }
}

// Wrong keys from one address are answered more and more slowly. It is no lock: keys are too long to
// be guessed, and whoever shares the address (behind one router, say) goes on with the right key.
import { setTimeout as delay } from 'node:timers/promises'

export interface AttemptOptions {
  clock: () => Date
  /** Answers that are held back at a time; beyond that they are given at once. */
  maxWaiting: number
  sleep?: ((ms: number) => Promise<unknown>) | undefined
}

/** A person who pastes the wrong key a few times does not notice. */
const freeAttempts = 10
const windowMs = 5 * 60_000
const firstMs = 250
const longestMs = 5_000
/** More addresses than this are not remembered: the oldest go first. */
const maxAddresses = 10_000

export interface Attempts {
  /** After a wrong key. Answers how many there were when it is the one that begins the slowing. */
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

// A random number generator that returns the same numbers for the same seed on every machine. The demo
// data uses it, and tests and tools that must be able to repeat a run.

export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** True with this probability, from 0 (never) to 1 (always). */
  chance(share: number): boolean
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  /** One entry. Its probability is its share of all weights. */
  weighted<T extends { weight: number }>(from: readonly T[]): T
  /** A UUID of version 7 with this time, in milliseconds. */
  id(time: number): string
  /**
   * A new, independent generator. Concurrent users need one each, or the numbers depend on who asks
   * first.
   */
  fork(): Random
}

/** The same seed with another `stream` gives other numbers. */
export function createRandom(seed: number, stream = 0): Random {
  // sfc32: small, fast, and of good statistical quality.
  let a = seed | 0
  let b = stream | 0
  let c = (seed / 2 ** 32) | 0
  let counter = 1

  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  // Skip the first numbers, which are similar for neighboring seeds.
  for (let round = 0; round < 15; round++) bits()

  const next = () => bits() / 2 ** 32
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

  return {
    next,
    chance: (share) => next() < share,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    weighted(from) {
      let left = next() * from.reduce((sum, { weight }) => sum + weight, 0)
      for (const entry of from) {
        left -= entry.weight
        if (left < 0) return entry
      }
      return from[0] as (typeof from)[number]
    },
    id(time) {
      const ms = hex(time, 12)
      const [high, low] = [bits(), bits()]
      const variant = hex(0x8000 | (high & 0x3fff), 4)
      return `${ms.slice(0, 8)}-${ms.slice(8)}-7${hex(high >>> 20, 3)}-${variant}-${hex(low, 8)}${hex(bits() >>> 16, 4)}`
    },
    fork: () => createRandom(bits(), bits()),
  }
}

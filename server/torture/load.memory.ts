// The memory of the server's process, sampled while something happens to it.
import { memoryOf } from '../test/memory.ts'
import { Breach } from './torture.ts'

export interface Memory {
  /** Megabytes, at most, from one share of the time to another: of(0.5, 1) is the second half. */
  most(from: number, to: number): number
  stop(): void
}

/** Where the system does not tell, it is 0 all the time. */
export function watchMemory(pid: number, everyMs: number): Memory {
  const samples: number[] = []
  const timer = setInterval(async () => {
    samples.push((await memoryOf(pid))?.now ?? 0)
  }, everyMs)
  return {
    most(from, to) {
      const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
      return Math.round(Math.max(0, ...part))
    },
    stop: () => clearInterval(timer),
  }
}

/** After the warm-up it may still breathe, but not grow. */
export function requireFlat(what: string, before: number, after: number, room: number): void {
  if (after > before + room) {
    throw new Breach(`${what}: memory grew from ${before} to ${after} MB; ${room} more are allowed`)
  }
}

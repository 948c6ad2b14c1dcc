// Samples of the server's memory during a test.
import { memoryOf } from '../test/memory.ts'
import { Breach } from './torture.ts'

export interface Memory {
  /** The maximum in megabytes within a part of the time: most(0.5, 1) is that of the second half. */
  most(from: number, to: number): number
  stop(): void
}

/** Samples are 0 where the system does not report memory. */
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

/** After the warm-up the memory may go up and down, but not grow by more than `room`. */
export function requireFlat(what: string, before: number, after: number, room: number): void {
  if (after > before + room) {
    throw new Breach(
      `${what}: memory grew from ${before} to ${after} MB; at most ${room} MB more are allowed`,
    )
  }
}

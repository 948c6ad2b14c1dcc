// Work that continues after its response. The service waits for it before it stops.
import type { FastifyBaseLogger } from 'fastify'

export interface Background {
  run(log: FastifyBaseLogger, work: () => Promise<void>): void
  /** Resolves when no work is left. */
  end(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  return {
    run(log, work) {
      const done = work()
        .catch((error) => log.warn({ err: error }, 'background work failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    async end() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

// Repeats work while the service runs: reminders, backups.

export interface Loop {
  /** The next run begins now, or right after the one in progress. */
  wake(): void
  /** Aborts the signal that the work gets, and waits for the run in progress. */
  stop(): Promise<void>
}

export interface LoopLog {
  info(text: string): void
  error(about: object, text: string): void
}

/**
 * Repeats the work. The next run begins `pauseMs` after the end of the previous one. A failure is logged
 * once, not at every run, because the database may be unavailable for a while. The recovery is logged once too.
 * `name` is the subject of both log lines: a plural, such as "Backups".
 */
export function every(
  pauseMs: number,
  name: string,
  log: LoopLog,
  work: (signal: AbortSignal) => Promise<unknown>,
  firstPauseMs = pauseMs,
): Loop {
  const stopping = new AbortController()
  let isFailing = false
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let isWoken = false

  async function run(): Promise<void> {
    try {
      await work(stopping.signal)
      if (isFailing) log.info(`${name} work again`)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ err: error }, `${name} fail`)
      isFailing = true
    }
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      isRunning = true
      isWoken = false
      running = run().then(() => {
        isRunning = false
        if (!stopping.signal.aborted) schedule(isWoken ? 0 : pauseMs)
      })
    }, ms)
  }

  schedule(firstPauseMs)
  return {
    wake() {
      isWoken = true
      if (isRunning || stopping.signal.aborted) return
      clearTimeout(timer)
      schedule(0)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

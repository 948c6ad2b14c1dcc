// Work that is repeated while the service runs: reminders, backups.

export interface Loop {
  /** Aborts the signal that the work gets, and waits for the run in progress. */
  stop(): Promise<void>
}

export interface LoopLog {
  info(text: string): void
  error(about: object, text: string): void
}

/**
 * Runs the work again and again, `pauseMs` after the end of the run before. A failure is logged once,
 * not at every run, because the database may be away for a while; so is the recovery. `name` is the
 * subject of both sentences.
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
      running = run().then(() => {
        if (!stopping.signal.aborted) schedule(pauseMs)
      })
    }, ms)
  }

  schedule(firstPauseMs)
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

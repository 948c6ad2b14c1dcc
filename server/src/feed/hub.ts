// Those who wait for new events: long polls and streams. They hold no connection to the database.

export interface Hub {
  /** Resolves when the workspace has new events, after `ms`, or when the signal is aborted. */
  wait(space: string, ms: number, signal: AbortSignal): Promise<void>
  wake(space: string): void
  /** For all workspaces: after a gap in the notifications. */
  wakeAll(): void
  /** No more waiting: the service stops. */
  close(): void
  readonly isClosed: boolean
}

export function createHub(): Hub {
  const waiting = new Map<string, Set<() => void>>()
  let isClosed = false

  function wake(space: string): void {
    const callbacks = waiting.get(space)
    waiting.delete(space)
    for (const callback of callbacks ?? []) callback()
  }

  function wakeAll(): void {
    for (const space of [...waiting.keys()]) wake(space)
  }

  return {
    wake,
    wakeAll,
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      wakeAll()
    },
    wait(space, ms, signal) {
      if (isClosed || signal.aborted || ms <= 0) return Promise.resolve()
      return new Promise((resolve) => {
        const callbacks = waiting.get(space) ?? new Set()
        waiting.set(space, callbacks)
        const end = () => {
          callbacks.delete(end)
          if (callbacks.size === 0 && waiting.get(space) === callbacks) waiting.delete(space)
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        callbacks.add(end)
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end, { once: true })
      })
    },
  }
}

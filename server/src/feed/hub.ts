// Readers that wait for new events: long polls and streams. They hold no database connection.
import { setMaxListeners } from 'node:events'

export interface Hub {
  /**
   * Changes when the workspace gets new events. Take it before you read, and give it to `wait`: events
   * that come during the read then end the wait immediately.
   */
  version(space: string): number
  /**
   * Resolves when the version changes, after `ms`, when the signal is aborted, or when the hub
   * closes.
   */
  wait(space: string, version: number, ms: number, signal: AbortSignal): Promise<void>
  /**
   * Runs the read, or returns the result of the same read when it is under way: many readers wake at
   * the same moment and ask for the same events. `what` must name the version.
   */
  share<T>(what: string, read: () => Promise<T>): Promise<T>
  /** The listener is called when a workspace has new events; with undefined: when any may have some. */
  subscribe(listener: (space: string | undefined) => void): void
  wake(space: string): void
  /** Changes when the member has new notifications, or has read some. */
  inboxVersion(space: string, member: string): number
  /** Ends the waits of the workspace. */
  wakeInbox(space: string, member: string): void
  /** For all workspaces: after a gap in the notifications. */
  wakeAll(): void
  /** No more waiting: the service stops. */
  close(): void
  readonly closing: AbortSignal
}

export function createHub(): Hub {
  const waiting = new Map<string, Set<() => void>>()
  /** Of a workspace, and of a workspace and a member. */
  const versions = new Map<string, number>()
  const reads = new Map<string, Promise<unknown>>()
  const closing = new AbortController()
  // One for each stream.
  setMaxListeners(0, closing.signal)
  const listeners: ((space: string | undefined) => void)[] = []
  let allVersion = 0

  const version = (space: string) => allVersion + (versions.get(space) ?? 0)

  const advance = (key: string) => void versions.set(key, (versions.get(key) ?? 0) + 1)

  function end(space: string): void {
    const callbacks = waiting.get(space)
    waiting.delete(space)
    for (const callback of callbacks ?? []) callback()
  }

  function endAll(): void {
    for (const space of [...waiting.keys()]) end(space)
  }

  return {
    version,
    closing: closing.signal,
    subscribe: (listener) => void listeners.push(listener),
    inboxVersion: (space, member) => version(`${space} ${member}`),
    wakeInbox(space, member) {
      for (const key of [space, `${space} ${member}`]) advance(key)
      end(space)
    },
    wake(space) {
      advance(space)
      end(space)
      for (const listener of listeners) listener(space)
    },
    wakeAll() {
      allVersion++
      endAll()
      for (const listener of listeners) listener(undefined)
    },
    close() {
      closing.abort()
      endAll()
    },
    share(what, read) {
      const known = reads.get(what)
      if (known) return known as ReturnType<typeof read>
      const result = read().finally(() => reads.delete(what))
      reads.set(what, result)
      return result
    },
    wait(space, seen, ms, signal) {
      const isOver = closing.signal.aborted || signal.aborted
      if (isOver || ms <= 0 || version(space) !== seen) return Promise.resolve()
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

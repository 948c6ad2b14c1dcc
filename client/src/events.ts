// The change feed, without an end: it reconnects by itself and continues behind the last event.
import type { Options } from './options.ts'
import { sleep } from './request.ts'
import type { Event, EventType } from './routes.ts'

export interface Following {
  /** Where to begin: the `cursor` of an event, "start" for the oldest one that is kept, or "now" (the default). */
  after?: string | undefined
  /** Only these: `lead.created`, or `lead.*` for all of leads. */
  types?: readonly (EventType | `${string}.*`)[] | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds for the first connection. Later it tries until the service is back. */
  timeout?: number | undefined
}

/** An event with its cursor: store it when your work is done, and give it as `after` when you come back. */
export type FeedEvent = Event & { cursor: string }

/** The service sends something every 15 seconds. */
const silentMs = 60_000

/**
 * @throws {GoneError} the feed cannot continue from the cursor. Read all records once, then follow from its `start`.
 * @throws {UnauthorizedError} the key was revoked or has expired.
 */
export async function* follow(
  open: (query: object, options: Options) => Promise<Response>,
  { after = 'now', types, signal, timeout }: Following,
): AsyncGenerator<FeedEvent, void> {
  let cursor = after
  for (let first = true; ; first = false) {
    const ended = new AbortController()
    const stop = () => ended.abort(signal?.reason)
    if (signal?.aborted) throw signal.reason
    signal?.addEventListener('abort', stop)
    const timer = first ? undefined : setTimeout(() => ended.abort(), silentMs)
    try {
      const query = { after: cursor, types: types?.join() }
      const opening = open(query, {
        signal: ended.signal,
        timeout: first ? (timeout ?? 60_000) : Number.POSITIVE_INFINITY,
      })
      const response = await opening.catch((error) => {
        // A service that takes the connection and says nothing: it is asked again.
        if (first || signal?.aborted || !ended.signal.aborted) throw error
        return undefined
      })
      clearTimeout(timer)
      for await (const { id, data } of blocksOf(response, ended)) {
        cursor = id ?? cursor
        if (data) yield { ...(JSON.parse(data) as Event), cursor }
      }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      ended.abort()
    }
    await sleep(100 + Math.random() * 400, signal)
  }
}

interface Block {
  id?: string | undefined
  data?: string | undefined
}

/** The blocks of server-sent events, until the connection ends, whatever the reason. */
async function* blocksOf(
  response: Response | undefined,
  ended: AbortController,
): AsyncGenerator<Block, void> {
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; reader; ) {
    const timer = setTimeout(() => ended.abort(), silentMs)
    const piece = await reader.read().catch(() => undefined)
    clearTimeout(timer)
    if (piece?.value === undefined) return
    const parts = (text + piece.value).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const lines = part.split('\n')
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      yield { id: field('id'), data: field('data') }
    }
  }
}

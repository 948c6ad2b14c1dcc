// Follows the change feed. It uses fetch in place of EventSource, which cannot tell a feed that cannot be
// continued from a lost connection.
import type { Event } from '@rapport/contract'
import { open } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { keepsDesktop } from '../notifications/desktop.ts'

export interface Reader {
  onEvent: (event: Event) => void
  /** The notifications of the person have changed, or may have: the page has just connected. */
  onInbox: () => void
  /** Connected again after a failure. What could not be loaded in the meantime can be loaded now. */
  onAgain: () => void
  /** Events are missing: everything shown may be old. */
  onGap: () => void
}

/** A page that is hidden for longer gives its connection back: browsers have few for each server. */
const hiddenMs = 60_000
/** The service says something every 15 seconds. A connection that is silent for longer is dead. */
const silentMs = 40_000
const firstPauseMs = 500
const longestPauseMs = 15_000

/** Nobody sees what the page shows, nor what it shows on the desktop. */
const isIdle = () => !keepsDesktop() && document.hidden

/** Returns a function that ends it. */
export function followFeed(reader: Reader): () => void {
  const ending = new AbortController()
  void follow(reader, ending.signal)
  return () => ending.abort()
}

async function follow(reader: Reader, ending: AbortSignal): Promise<void> {
  /** The cursor behind the last event. Empty: begin now. */
  let cursor = ''
  let failures = 0
  while (!ending.aborted) {
    await untilShown(ending)
    const connection = watch(ending)
    try {
      const headers: Record<string, string> = cursor ? { 'Last-Event-ID': cursor } : {}
      const { signal } = connection
      const query = { notifications: 'true' }
      const { body } = await open('GET /events/stream', { headers, signal, query, isQuiet: true })
      if (failures > 0) reader.onAgain()
      reader.onInbox()
      failures = 0
      for await (const { id, event, data } of blocksOf(body, connection.onSign)) {
        cursor = id ?? cursor
        if (event) reader.onInbox()
        else if (data) reader.onEvent(JSON.parse(data) as Event)
      }
    } catch (error) {
      failures++
      if (error instanceof Fault && error.status === 410) {
        cursor = (error.body as { start: string }).start
        reader.onGap()
      }
    } finally {
      connection.end()
    }
    // Not all pages at once, when the service comes back.
    const pause = Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
    if (!ending.aborted && !isIdle()) await sleep(pause * (0.5 + Math.random() / 2))
  }
}

interface Block {
  id: string | undefined
  /** Its name: that of the news of the inbox. Events of the feed have none. */
  event: string | undefined
  data: string | undefined
}

async function* blocksOf(
  body: ReadableStream<Uint8Array> | null,
  onSign: () => void,
): AsyncGenerator<Block> {
  const pieces = body?.pipeThrough(new TextDecoderStream() as never).getReader()
  let text = ''
  for (;;) {
    const piece = (await pieces?.read()) as { done: boolean; value?: string } | undefined
    if (!piece || piece.done) return
    onSign()
    const blocks = (text + piece.value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      yield { id: field('id'), event: field('event'), data: field('data') }
    }
  }
}

/** Ends the connection when it is dead, when the page is hidden for a long time, and when `ending` says so. */
function watch(ending: AbortSignal) {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  let silence = setTimeout(leave, silentMs)
  let hidden: ReturnType<typeof setTimeout> | undefined
  const onVisibility = () => {
    clearTimeout(hidden)
    if (isIdle()) hidden = setTimeout(leave, hiddenMs)
  }
  ending.addEventListener('abort', leave)
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return {
    signal: leaving.signal,
    onSign() {
      clearTimeout(silence)
      silence = setTimeout(leave, silentMs)
    },
    end() {
      clearTimeout(silence)
      clearTimeout(hidden)
      ending.removeEventListener('abort', leave)
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}

function untilShown(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (isIdle() && !ending.aborted) return
      document.removeEventListener('visibilitychange', look)
      ending.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    ending.addEventListener('abort', look)
    look()
  })
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

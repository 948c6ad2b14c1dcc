// Handlers of the change feed. A reader that waits holds no connection to the database.
import { notFound } from '@rapport/contract/errors'
import { events as contract, type Event } from '@rapport/contract/events'
import type { Pool } from '../../db/driver.ts'
import { selectHead } from '../../feed/head.sql.ts'
import { EventStream, resource, type Waiting } from '../../http/handler.ts'
import { idIsTaken } from '../leads/leads.sql.ts'
import { cursorOf, readCursor, readNumber, readTypes } from './cursor.ts'
import { selectEvents, selectLeadEvents } from './events.sql.ts'

const limits = { min: 1, max: 1000, otherwise: 100 }
/** A reader looks again after this time, in case a notification was lost. */
const lookMs = 4_000
/** Proxies and clients give up on a stream that says nothing. */
const commentMs = 15_000

export const events = resource(contract, {
  async list(db, { space, query, waiting }) {
    const limit = readNumber('limit', query.limit, limits)
    const wait = readNumber('wait', query.wait, { min: 0, max: 60, otherwise: 0 })
    const reader = openReader(db, space, query, waiting)
    const end = Date.now() + wait * 1000
    for (;;) {
      const events = await reader.read(limit)
      const left = end - Date.now()
      if (events.length > 0 || left <= 0 || waiting.isOver()) {
        return { events, next: reader.cursor() }
      }
      await waiting.forEvents(Math.min(left, lookMs))
    }
  },

  async ofLead(db, { space, id, query }) {
    const limit = readNumber('limit', query.limit, limits)
    const anySeq = { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }
    const before = query.after ? readNumber('after', query.after, anySeq) : undefined
    if (!(await idIsTaken(db, space, id))) throw notFound()
    const events = await selectLeadEvents(db, space, id, { before, limit })
    return { events, next: events.length === limit ? String(events.at(-1)?.seq) : null }
  },

  async stream(db, { space, query, waiting }) {
    const after = waiting.lastEventId ?? query.after ?? 'now'
    const reader = openReader(db, space, { ...query, after }, waiting)
    // Before the answer begins: a cursor that cannot be continued is an error of its own.
    const first = await reader.read(limits.otherwise)
    return new EventStream(follow(reader, first, waiting))
  },
})

interface Reader {
  read(limit: number): Promise<Event[]>
  /** Where to go on; after an event: behind that one. */
  cursor(event?: Event): string
}

/** Reads page after page, from a cursor on. */
function openReader(
  db: Pool,
  space: string,
  query: { after?: string; types?: string },
  { inSlot }: Waiting,
): Reader {
  const types = readTypes(query.types)
  let next = query.after
  let epoch = ''
  return {
    cursor: (event) => (event ? cursorOf({ epoch }, event.seq) : (next ?? '')),
    read: (limit) =>
      inSlot(async () => {
        const head = await selectHead(db, space)
        const after = readCursor(head, next)
        const events = await selectEvents(db, space, { after, last: head.seq, limit, types })
        const last = events.length === limit ? events.at(-1)?.seq : undefined
        epoch = head.epoch
        next = cursorOf(head, last ?? head.seq)
        return events
      }),
  }
}

/** The text of the stream. It ends when the key is revoked, or when a backup is restored. */
async function* follow(
  reader: Reader,
  first: Event[],
  waiting: Waiting,
): AsyncGenerator<string, void> {
  let events = first
  let saidAt = Date.now()
  // The first line goes out at once, so that the client knows that it is connected.
  yield `: connected\nid: ${reader.cursor()}\n\n`
  while (!waiting.isOver()) {
    if (events.length > 0) {
      yield events
        .map((event) => `id: ${reader.cursor(event)}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
      saidAt = Date.now()
    } else if (Date.now() - saidAt >= commentMs) {
      // The id alone: with a filter of types, the reader need not pass the other events again.
      yield `: still here\nid: ${reader.cursor()}\n\n`
      saidAt = Date.now()
    }
    if (events.length === 0) await waiting.forEvents(lookMs)
    if (!(await waiting.isStillAllowed())) return
    events = await reader.read(limits.otherwise)
  }
}

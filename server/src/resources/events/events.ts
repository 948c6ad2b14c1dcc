// Handlers of the change feed. A reader that waits holds no connection to the database.

import { contract, type Event } from '@rapport/contract'
import { ApiError, notFound } from '@rapport/contract/errors'
import { eventLimits, waitLimits } from '@rapport/contract/events'
import { isUnavailable } from '../../db/driver.ts'
import { EventStream, Json, resource, type Waiting } from '../../http/handler.ts'
import { readNumber } from '../../http/read-query.ts'
import { idIsTaken } from '../leads/row/existing.sql.ts'
import { survivorOf } from '../leads/row/merged.sql.ts'
import { listChanges, summarizeChanges } from './changes.ts'
import { selectLeadEvents } from './events.sql.ts'
import { openReader, type Reader } from './reader.ts'
import { sampleTypes, selectSampleLead, writeSample } from './samples.ts'

/** A stream reads this many at a time. It keeps them until its client has taken them. */
const streamPage = 50

export const events = resource(contract.events, {
  changes: listChanges,
  summary: summarizeChanges,

  async list(db, { space, query, waiting }) {
    const limit = readNumber('limit', query.limit, eventLimits)
    const wait = readNumber('wait', query.wait, waitLimits)
    const reader = openReader(db, space, query, waiting.read)
    const end = Date.now() + wait * 1000
    for (;;) {
      const events = await reader.read(limit)
      const isDone = !reader.isBehind() && Date.now() >= end
      if (events.length > 0 || isDone || waiting.isOver()) return { events, next: reader.cursor() }
      if (!reader.isBehind()) await untilNews(waiting, end)
    }
  },

  async samples(db, call) {
    const types = sampleTypes(call.query.types)
    const lead = await selectSampleLead(db, call.space)
    return new Json(`[${types.map((type) => writeSample(type, call, lead)).join(',')}]`)
  },

  async ofLead(db, { space, id, query }) {
    const limit = readNumber('limit', query.limit, eventLimits)
    const anySeq = { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }
    const before = query.after ? readNumber('after', query.after, anySeq) : undefined
    const lead = (await survivorOf(db, space, id)) ?? id
    const events = await selectLeadEvents(db, space, lead, { before, limit })
    // Of a lead that was erased, only the events are left, without its values.
    if (events.length === 0 && !(await idIsTaken(db, space, id))) throw notFound()
    return { events, next: events.length === limit ? String(events.at(-1)?.seq) : null }
  },

  async stream(db, { space, query, waiting }) {
    // Browsers send it after a lost connection. The address still has the place of the first one.
    const after = waiting.lastEventId || query.after || 'now'
    const reader = openReader(db, space, { ...query, after }, waiting.read)
    // Before the response begins: a cursor that cannot be continued is an error of its own.
    const first = await reader.read(streamPage)
    const inboxOf = query.notifications === 'true' ? waiting.inboxVersion : () => 0
    return new EventStream(follow(reader, first, waiting, inboxOf))
  },
})

/**
 * The text of the stream. It ends when the key is revoked, when the feed cannot be continued, or when
 * the database is unavailable. The client then reconnects and gets the error.
 */
async function* follow(
  reader: Reader,
  first: Event[],
  waiting: Waiting,
  inboxOf: () => number,
): AsyncGenerator<string, void> {
  let events = first
  let inbox = inboxOf()
  let saidAt = Date.now()
  // Sent immediately, so that the client knows that it is connected. It names a place only when no
  // event is being sent: a client that loses the connection now would continue after events it never got.
  yield events.length > 0 ? ': connected\n\n' : `: connected\nid: ${reader.cursor()}\n\n`
  try {
    for (;;) {
      for (const event of events) {
        if (waiting.isOver()) return
        yield `id: ${reader.cursor(event)}\ndata: ${JSON.stringify(event)}\n\n`
        saidAt = Date.now()
      }
      await untilNews(waiting, reader.isBehind() ? 0 : saidAt + waiting.commentMs)
      if (waiting.isOver()) return
      if (inboxOf() !== inbox) {
        inbox = inboxOf()
        yield 'event: notifications\ndata: {}\n\n'
      }
      events = await reader.read(streamPage)
      if (events.length === 0 && Date.now() - saidAt >= waiting.commentMs) {
        // With a filter of types, the client need not pass the other events again.
        yield `: keep-alive\nid: ${reader.cursor()}\n\n`
        saidAt = Date.now()
      }
    }
  } catch (error) {
    if (error instanceof ApiError || isUnavailable(error)) return
    throw error
  }
}

/** Waits for new events, at the latest until `end`. Throws when the key was revoked. */
async function untilNews(waiting: Waiting, end: number): Promise<void> {
  for (;;) {
    if (waiting.isOver()) return
    if (!(await waiting.isStillAllowed())) throw new ApiError('UNAUTHORIZED')
    const left = end - Date.now()
    if (left <= 0 || waiting.hasNews()) return
    await waiting.forNews(left)
  }
}

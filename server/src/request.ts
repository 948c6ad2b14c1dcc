// The path of a request as named steps: read the call, wait for a slot, run the handler, send the
// response. Before that, Fastify has found the route and read the headers, and the hooks in app.ts have
// checked the load and the key. An error that a step throws becomes the error body.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { badRequest, notFound, unavailable } from '@rapport/contract/errors'
import { scopesOf, takesIdempotencyKey } from '@rapport/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from './access/auth.ts'
import type { Principal } from './access/keyring.ts'
import type { Canceler } from './db/cancel.ts'
import type { Pool } from './db/driver.ts'
import type { Feed } from './feed/feed.ts'
import type { Background } from './http/background.ts'
import { readUpload } from './http/body.ts'
import { unstorable } from './http/examine-json.ts'
import {
  type BackgroundWork,
  type Call,
  Download,
  type Endpoint,
  EventStream,
  Json,
  type Outcome,
  type Repeatable,
  type Settings,
  type Waiting,
} from './http/handler.ts'
import type { TimeLimits } from './http/limits.ts'
import { linkAddress } from './http/origin.ts'
import { isWaiting, type Load } from './http/overload.ts'
import type { InTurn, Who } from './http/semaphore.ts'
import { json, serialize } from './http/serialize.ts'
import { validator } from './http/validate.ts'
import { once, readIdempotencyKey, repeatableOf } from './idempotency/idempotency.ts'
import { isId } from './ids.ts'
import type { Ask } from './mcp/ask.ts'

export interface Dependencies {
  db: Pool
  /** Pools for bulk operations, and for imports and exports, so that they cannot hold all connections. */
  bulkDb: Pool
  transferDb: Pool
  canceler: Canceler
  clock: () => Date
  load: Load
  feed: Feed
  settings: Settings
  background: Background
  limits: TimeLimits
}

/** What a request contains besides its headers. */
interface Given {
  id: string
  body: unknown
  query: unknown
  ifMatch?: string | undefined
}

/** Adds the route of an endpoint. Returns the way to it from within another request of the same service. */
export function addEndpoint(
  app: FastifyInstance,
  { route, handle, handleOnce, takesSlots }: Endpoint,
  {
    db,
    bulkDb,
    transferDb,
    canceler,
    clock,
    load,
    feed,
    settings,
    background,
    limits,
  }: Dependencies,
): Ask {
  const checkBody = route.body && validator(route.body)
  const checkQuery = route.query && validator(route.query)
  const pool = route.bulk ? bulkDb : route.accepts || route.produces ? transferDb : db
  const takesKey = takesIdempotencyKey(route)
  const isWrite = route.method !== 'GET' && route.role !== 'read'
  const run: InTurn = takesSlots ? load.runWithoutSlot : (who, work) => load.run(route, who, work)

  app.route({
    method: route.method,
    url: route.path.replace('{id}', ':id'),
    config: {
      role: route.role,
      scopes: scopesOf(route),
      ...(route.accepts && { accepts: route.accepts }),
      ...(route.waits && { waits: route.waits }),
      ...(route.person === 'always' && { needsPerson: true }),
    },
    handler: async (request, reply) => {
      const { params, body, query, headers } = request
      const { id = '' } = params as { id?: string }
      const given = { id, body, query, ifMatch: headers['if-match'] }
      const call = readCall(request, reply, given)
      const repeatable = takesKey && readIdempotencyKey(request, request.principal as Principal)
      if (repeatable) return sendOnce(repeatable, whoOf(request), call, reply)
      return send(await perform(request, call), request, reply)
    },
  })

  return async (request, reply, { id = '', body, query = {}, once: key }) => {
    const principal = request.principal as Principal
    await request.requireRights(route.role, scopesOf(route))
    const call = readCall(request, reply, { id, body, query })
    // The headers of the response are those of the request around it.
    call.say = () => {}
    const answer = key
      ? (await performOnce(repeatableOf(principal, key), whoOf(request), call, reply)).body
      : serialize(await perform(request, call), route, reply)
    return JSON.parse(answer)
  }

  async function perform(request: FastifyRequest, call: Call): Promise<unknown> {
    const answer = await (route.waits
      ? handle(pool, call)
      : isWrite
        ? run(whoOf(request), () => handle(pool, call))
        : read(request, call))
    if (isWrite) wakeOthers(call.space)
    return answer
  }

  /** A read is canceled when its client disconnects. A write is not, because nobody could tell how far it got. */
  function read(request: FastifyRequest, call: Call): Promise<unknown> {
    const { socket } = request.raw
    return run(whoOf(request), async () => {
      // It disconnected while the request was waiting.
      if (socket.destroyed) throw unavailable()
      const watched = canceler.watch(pool, () => socket.destroyed)
      try {
        return await handle(watched.pool, call)
      } finally {
        watched.end()
      }
    })
  }

  function readCall(request: FastifyRequest, reply: FastifyReply, given: Given): Call {
    const { space, user, role, scopes, confirmedAt } = request.principal as Principal
    return {
      ...{ space, user, role, scopes, confirmedAt },
      actor: actorOf(request),
      page: () => linkAddress(request),
      id: readId(given),
      upload: (route.accepts && readUpload(request, route.accepts)) as never,
      body: readBody(given) as never,
      query: readQuery(given) as never,
      ifMatch: route.conditional && given.ifMatch,
      waiting: (route.waits && waitingOf(request, reply, space)) as never,
      now: clock(),
      clock,
      log: request.log,
      settings,
      sign: (text) => request.sign(text),
      inBackground: (work) =>
        background.run(request.log, async () => {
          await load.run(route, whoOf(request), () => work(pool))
          feed.wake(space)
        }),
      left: () => leftOf(request, reply),
      say: (header, value) => void reply.header(header, value),
      inTurn: (work) =>
        takesSlots ? load.run(route, whoOf(request), work) : load.inTurn(whoOf(request), work),
    }
  }

  /** After the commit of a write. */
  function wakeOthers(space: string): void {
    feed.wake(space)
    // It may have ended a key or a session or changed a role, which must take effect immediately.
    if (route.role === 'admin') app.keyring.forget(space)
  }

  function leftOf(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
    const left = new AbortController()
    whenDone(raw, request.raw.socket, () => left.abort())
    return AbortSignal.any([left.signal, feed.hub.closing])
  }

  function waitingOf(request: FastifyRequest, { raw }: FastifyReply, space: string): Waiting {
    const { hub } = feed
    const left = new AbortController()
    const { user } = request.principal as Principal
    const end = isWaiting(request) ? load.startWaiting({ ...whoOf(request), user }) : () => {}
    whenDone(raw, request.raw.socket, end, () => left.abort())
    const lastEventId = request.headers['last-event-id']
    let seen = hub.version(space)
    return {
      read(what, work) {
        seen = hub.version(space)
        return hub.share(`${space} ${seen} ${what}`, () => load.run({}, whoOf(request), work))
      },
      hasNews: () => hub.version(space) !== seen,
      forNews: (ms) => hub.wait(space, seen, Math.min(ms, limits.lookMs), left.signal),
      inboxVersion: () => hub.inboxVersion(space, user),
      isOver: () => left.signal.aborted || hub.closing.aborted,
      isStillAllowed: () => request.isStillAllowed(),
      commentMs: limits.commentMs,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    }
  }

  function readId({ id }: Given): string {
    if (route.path.includes('{id}') && !isId(id)) throw notFound()
    return id.toLowerCase()
  }

  function readBody({ body = {} }: Given): unknown {
    checkBody?.(body)
    return body
  }

  function readQuery({ query }: Given): unknown {
    if (!checkQuery) return query
    checkQuery(query)
    const faults = unstorable(query)
    if (faults.length > 0) throw badRequest(faults)
    return query
  }

  async function sendOnce(
    repeatable: Repeatable,
    who: Who,
    call: Call,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { body, operation, isReplayed } = await performOnce(repeatable, who, call, reply)
    if (isReplayed) reply.header('Idempotency-Replayed', 'true')
    if (isReplayed && operation) reply.header('X-Operation-Id', operation)
    return reply.type(json).send(body)
  }

  /** Does the work unless the same request was done before. */
  async function performOnce(
    repeatable: Repeatable,
    who: Who,
    call: Call,
    reply: FastifyReply,
  ): Promise<Outcome> {
    // Begins after the commit. An attempt that was rolled back leaves none.
    let later: BackgroundWork[] = []
    const inBackground = (work: BackgroundWork) => void later.push(work)
    const outcome = await run(who, () =>
      handleOnce
        ? handleOnce(pool, call, repeatable)
        : once(pool, repeatable, call.now, async (tx) => {
            later = []
            const body = serialize(await handle(tx, { ...call, inBackground }), route, reply)
            return { body, operation: (reply.getHeader('X-Operation-Id') as string) ?? null }
          }),
    )
    for (const work of later) call.inBackground(work)
    wakeOthers(call.space)
    return outcome
  }

  function send(answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (answer instanceof EventStream) {
      // Proxies must pass each event on immediately and must not compress, which would delay events.
      reply.header('X-Accel-Buffering', 'no').header('Cache-Control', 'no-store, no-transform')
      reply.type('text/event-stream; charset=utf-8')
      endSlowReader(reply, limits.readerMs)
      endWhenStopping(reply, feed.hub.closing)
      return reply.send(Readable.from(answer.content))
    }
    if (answer instanceof Download) {
      reply.header('Content-Disposition', attachment(answer.name))
      reply.type(`${answer.type}; charset=utf-8`)
    } else {
      reply.type(json)
    }
    if (!(answer instanceof Json || answer instanceof Download)) {
      return reply.send(serialize(answer, route, reply))
    }
    const { content } = answer
    if (typeof content === 'string' || Buffer.isBuffer(content)) return reply.send(content)
    endSlowReader(reply, limits.readerMs)
    return reply.send(load.stream(request.raw.socket, whoOf(request), content))
  }
}

/** A header allows only ASCII, and file names must not contain the other characters. */
function attachment(name: string): string {
  const safe = name.replace(/[\p{C}"\\/:*?<>|]+/gu, '_')
  const ascii = safe.replace(/[^\x20-\x7e]+/g, '_')
  const header = `attachment; filename="${ascii}"`
  if (ascii === safe) return header
  const escaped = encodeURIComponent(safe).replace(
    /['()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `${header}; filename*=UTF-8''${escaped}`
}

/** Whose turn the request uses. */
function whoOf({ principal }: FastifyRequest): Who {
  const { space, key, user } = principal as Principal
  return { space, key: key ?? user }
}

/** Calls the callbacks when the response is sent or given up. */
function whenDone(raw: ServerResponse, socket: Socket, ...callbacks: (() => void)[]): void {
  const done = () => {
    raw.off('close', done)
    socket.off('close', done)
    for (const callback of callbacks) callback()
  }
  raw.once('close', done)
  // A response that waits behind another one on its connection gets no 'close' when that is lost.
  socket.once('close', done)
}

/** How long the service waits for the reader of an endless response when it stops. */
const lastWordMs = 1_000

/** A stalled reader must not delay shutdown. It continues from its cursor later. */
function endWhenStopping({ raw }: FastifyReply, stopping: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    timer = setTimeout(() => raw.destroy(), lastWordMs)
  }
  stopping.addEventListener('abort', end)
  raw.once('close', () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  })
}

/** Ends a streamed response when the client reads nothing for a while, because it holds memory. */
function endSlowReader({ raw }: FastifyReply, readerMs: number): void {
  raw.setTimeout(readerMs, () => {
    if (raw.writableLength > 0) raw.destroy()
    else raw.socket?.setTimeout(readerMs)
  })
}

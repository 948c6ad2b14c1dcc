// Limits how much the service does at a time. Work beyond a limit waits in a short queue or is refused
// immediately with 503, instead of queueing indefinitely.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { unavailable } from '@rapport/contract/errors'
import type { Route } from '@rapport/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InProgress } from '../in-progress.ts'
import type { Pieces } from './handler.ts'
import { networkOf } from './network.ts'
import { createFairSemaphore, type InTurn, type QueueCounts, type Who } from './semaphore.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request may wait a long time for events. */
    waits?: Route['waits']
  }
}

export interface LoadOptions {
  /** Requests in progress at a time. A request is in progress until its response is sent. */
  maxRequests: number
  /** Connections to the database. */
  connections: number
  /** How long an ordinary request waits for a slot. Bulk operations wait twice as long. */
  waitLimitMs?: number
}

export interface Load {
  /** Does the work of a request when a slot is free. */
  run<T>(
    route: Partial<Pick<Route, 'role' | 'bulk' | 'accepts'>>,
    who: Who,
    work: () => Promise<T> | T,
  ): Promise<T>
  /** Does the work of a request that takes a slot (`run`) only for what it does at the database. */
  runWithoutSlot: InTurn
  /** Does one piece of a request's work when a slot is free. For requests that have many pieces. */
  inTurn<T>(who: Who, work: () => Promise<T>): Promise<T>
  /**
   * Counts a request that waits for events. At most half of them may be of one workspace, a quarter of one
   * member and an eighth of one key, so that the others can wait too. Returns the function that ends it.
   */
  startWaiting(who: Who & { user: string }): () => void
  /** How many requests of each kind are in progress. */
  queues(): Record<'ordinary' | 'bulk' | 'transfer', QueueCounts>
  /** A streamed response. Each piece is produced when a slot is free. */
  stream(socket: Socket, who: Who, pieces: Pieces): Readable
}

/** The longest wait of a request: for a slot, and for a record that another request is changing. */
export const requestWaitLimitMs = 10_000

/** How many bulk operations run at a time. */
const bulkSlots = (connections: number) => Math.ceil(connections / 2)
/** How many pieces of imports and of streamed responses run at a time. */
const pieceSlots = (connections: number) => Math.max(1, Math.floor(connections / 5))

/** How many ordinary requests run at a time: each has a connection, and so has each streamed piece. */
const ordinarySlots = (connections: number) => connections - pieceSlots(connections)
/** All but a fifth, which a workspace, or one of its keys, leaves to the others. */
const share = (slots: number) => Math.max(1, slots - Math.max(1, Math.floor(slots / 5)))

/** How many requests of one key are at the database at a time. */
export const slotsOfKey = (connections: number) => share(share(ordinarySlots(connections)))

/**
 * The sizes of the other pools. Bulk operations and imports hold a connection for as long as they take, so
 * on the first pool they would soon hold all connections. Imports and exports also send single statements
 * outside of their turn.
 */
export const bulkConnections = bulkSlots
export const transferConnections = (connections: number) => 2 * pieceSlots(connections)

/** The routes that need neither key nor session, and how many of their requests are in progress at a time. */
export const signInPath = '/session'
const signInShare = (maxRequests: number) => maxRequests / 4
/** Their own connections, so that a flood of sign-ins cannot take those of requests with a key. */
export const signInConnections = 2

export function createLoad({
  maxRequests,
  connections,
  waitLimitMs = requestWaitLimitMs,
}: LoadOptions): Load {
  const half = (slots: number) => Math.ceil(slots / 2)
  const bulk = createFairSemaphore({
    slots: bulkSlots(connections),
    slotsPerSpace: half(bulkSlots(connections)),
    maxWaiting: maxRequests / 2,
    waitLimitMs: 2 * waitLimitMs,
  })
  // No limit on the wait: a request must not be refused once it has begun.
  const pieces = createFairSemaphore({
    slots: pieceSlots(connections),
    slotsPerSpace: half(pieceSlots(connections)),
  })
  // Each stream holds some megabytes until its reader has read everything.
  const streams = createSlotCounter(Math.ceil(maxRequests / 20))
  // A request that waits in the driver's queue could not be refused anymore, and would be served in the order
  // of arrival; one that waits here can be refused, and has its turn.
  const ordinary = createFairSemaphore({
    slots: ordinarySlots(connections),
    slotsPerSpace: share(ordinarySlots(connections)),
    slotsPerKey: slotsOfKey(connections),
    maxWaiting: maxRequests / 2,
    waitLimitMs,
  })
  // Reads have the rest: requests that write may all wait for a lock, for example while the tables are distributed.
  const writes = createFairSemaphore({
    slots: share(ordinarySlots(connections)),
    slotsPerSpace: slotsOfKey(connections),
    maxWaiting: maxRequests / 2,
    waitLimitMs,
  })

  // Nobody waits here, but one workspace must not fill the service with requests that wait for their turn.
  const withoutSlot = createFairSemaphore({
    slots: maxRequests,
    slotsPerSpace: maxRequests / 2,
    maxWaiting: 0,
  })

  /** How many requests of each workspace, member and key wait for events. */
  const waiting = new Map<string, number>()

  return {
    run(route, who, work) {
      if (route.bulk) return bulk(who, work)
      // An import waits for its client most of the time. It takes a slot for each piece (inTurn).
      if (route.accepts) return Promise.resolve(work())
      const isRead = route.role === undefined || route.role === 'read'
      return isRead ? ordinary(who, work) : writes(who, () => ordinary(who, work))
    },

    runWithoutSlot: withoutSlot,
    inTurn: pieces,
    queues() {
      const { waiting, ...running } = ordinary.count()
      return {
        ordinary: { ...running, waiting: waiting + writes.count().waiting },
        bulk: bulk.count(),
        transfer: pieces.count(),
      }
    },

    startWaiting({ space, user, key }) {
      const shares = { [space]: 2, [user]: 4, [key]: 8 }
      for (const [name, part] of Object.entries(shares)) {
        if ((waiting.get(name) ?? 0) >= maxRequests / part) throw unavailable()
      }
      for (const name of Object.keys(shares)) waiting.set(name, (waiting.get(name) ?? 0) + 1)
      return () => {
        for (const name of Object.keys(shares)) {
          const left = (waiting.get(name) ?? 0) - 1
          if (left > 0) waiting.set(name, left)
          else waiting.delete(name)
        }
      }
    },

    stream(socket, who, content) {
      if (!streams.hasFree(socket)) throw unavailable()
      // Produce one piece ahead of the reader: more would only use memory.
      const ahead = { highWaterMark: 1 }
      return Readable.from(inTurns(who, content, pieces), ahead).once('close', streams.take(socket))
    },
  }
}

/** The same pieces, each produced in a slot of the semaphore. */
async function* inTurns<T>(
  who: Who,
  content: AsyncIterable<T>,
  semaphore: InTurn,
): AsyncGenerator<T> {
  const iterator = content[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await semaphore(who, () => iterator.next())
      if (piece.done) return
      yield piece.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Whether it is one of those that may wait, and has asked to. */
export function isWaiting({ routeOptions, query }: FastifyRequest): boolean {
  const { waits } = routeOptions.config
  if (waits !== 'asked') return waits === 'always'
  const { wait = '0' } = query as { wait?: string }
  return wait !== '0'
}

/**
 * Refuses requests while too many are in progress. Runs before keys are checked, so a refusal costs no
 * query.
 */
export function refuseOverload(app: FastifyInstance, maxRequests: number): void {
  const working = createSlotCounter(maxRequests)
  // Requests that wait for events do no work and must not take the slots of those that do.
  const waiting = createSlotCounter(maxRequests)
  // Anyone may send these, and may send them slowly, so they must not take the slots of requests with a key.
  const signIns = createSlotCounter(signInShare(maxRequests), signInShare(maxRequests) / 2)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, routeOptions, ip } = request
    const isSignIn = routeOptions.url?.startsWith(`${signInPath}/`)
    const requests = isSignIn ? signIns : isWaiting(request) ? waiting : working
    const client = isSignIn ? networkOf(ip) : ''
    if (!requests.hasFree(raw.socket, client)) return done(unavailable())
    reply.raw.once('close', requests.take(raw.socket, client))
    done()
  })
}

/**
 * Counts slots, also by client. A slot is released by its holder, or when the socket closes: a response that
 * waits behind another one on the same connection gets no 'close' event when the connection is lost.
 */
function createSlotCounter(max: number, maxOfClient = max) {
  let taken = 0
  const takenByClient = new Map<string, number>()
  const heldBySocket = new WeakMap<Socket, InProgress<() => void>>()

  function heldBy(socket: Socket): InProgress<() => void> {
    const known = heldBySocket.get(socket)
    if (known) return known
    const held = new InProgress<() => void>()
    heldBySocket.set(socket, held)
    socket.once('close', () => {
      for (const release of held.all()) release()
    })
    return held
  }

  return {
    /** Also false for a closed socket, which would never release its slot. */
    hasFree: (socket: Socket, client = '') =>
      taken < max && (takenByClient.get(client) ?? 0) < maxOfClient && !socket.destroyed,
    /** Returns the function that releases the slot. */
    take(socket: Socket, client = ''): () => void {
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        forget()
        taken--
        const left = (takenByClient.get(client) ?? 0) - 1
        if (left > 0) takenByClient.set(client, left)
        else takenByClient.delete(client)
      }
      taken++
      takenByClient.set(client, (takenByClient.get(client) ?? 0) + 1)
      const forget = heldBy(socket).add(release)
      return release
    },
  }
}

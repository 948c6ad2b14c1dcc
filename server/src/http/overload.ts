// What is beyond the service's strength is refused at once, with 503, instead of queueing without end.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { unavailable } from '@rapport/contract/errors'
import type { Route } from '@rapport/contract/route'
import type { FastifyInstance } from 'fastify'
import { createGate, createRow, type Gate } from './gate.ts'
import type { Pieces } from './handler.ts'

export interface LoadOptions {
  /** Requests under way at a time, from their headers to the last byte of their answer. */
  maxRequests: number
  /** Connections to the database. */
  connections: number
  patienceMs?: number
}

export interface Load {
  /** Does the work of a request when its turn has come. */
  run<T>(
    route: Pick<Route, 'bulk' | 'accepts'>,
    space: string,
    work: () => Promise<T> | T,
  ): Promise<T>
  /** Does one piece of the work of a request that has many, when its turn has come. */
  inTurn<T>(space: string, work: () => Promise<T>): Promise<T>
  /** An answer that is sent as it is made: the next piece is made when its turn has come. */
  stream(socket: Socket, space: string, pieces: Pieces): Readable
}

/** Nobody waits longer for their turn, nor for a record that somebody else is changing. */
export const requestPatienceMs = 10_000

/** Changes of many records at a time; pieces of imports and of long answers at a time. */
const bulkPlaces = (connections: number) => Math.ceil(connections / 2)
const piecePlaces = (connections: number) => Math.max(1, Math.floor(connections / 5))

/**
 * Changes of many records and imports keep a connection for as long as they take, so they have some
 * of their own: on those of everybody else they would soon hold all.
 */
export function bulkConnections(connections: number): number {
  return bulkPlaces(connections) + piecePlaces(connections)
}

export function createLoad({
  maxRequests,
  connections,
  patienceMs = requestPatienceMs,
}: LoadOptions): Load {
  const bulk = createGate({
    places: bulkPlaces(connections),
    maxWaiting: maxRequests / 2,
    patienceMs: 2 * patienceMs,
  })
  // What is in the middle of something is not refused.
  const pieces = createGate({ places: piecePlaces(connections) })
  /** Each holds some megabytes for as long as its reader likes. */
  const streams = createPlaces(Math.ceil(maxRequests / 20))
  // Enough at a time to keep every connection busy; in the row behind a request can still be refused.
  const ordinary = createRow({ places: 4 * connections, maxWaiting: maxRequests, patienceMs })

  return {
    run(route, space, work) {
      if (route.bulk) return bulk(space, work)
      // It waits for its client most of the time, and takes turns for the rest.
      if (route.accepts) return Promise.resolve(work())
      return ordinary(work)
    },

    inTurn: pieces,

    stream(socket, space, content) {
      if (!streams.hasRoom(socket)) throw unavailable()
      // One piece ahead of the reader: more would only take memory.
      const ahead = { highWaterMark: 1 }
      return Readable.from(inTurns(space, content, pieces), ahead).once(
        'close',
        streams.take(socket),
      )
    },
  }
}

async function* inTurns<T>(
  space: string,
  content: AsyncIterable<T>,
  gate: Gate,
): AsyncGenerator<T> {
  const iterator = content[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await gate(space, () => iterator.next())
      if (piece.done) return
      yield piece.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Refuses what comes while too much is under way. Comes before the keys: it asks nothing of them. */
export function refuseOverload(app: FastifyInstance, maxRequests: number): void {
  const requests = createPlaces(maxRequests)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    if (!requests.hasRoom(socket)) return done(unavailable())
    reply.raw.once('close', requests.take(socket))
    done()
  })
}

/**
 * So many at a time. A place is given back by who took it, at the latest with the connection: an
 * answer that waits behind another one on it is not told when it is lost.
 */
function createPlaces(max: number) {
  let taken = 0
  const sockets = new WeakMap<Socket, { taken: number }>()

  function placesOf(socket: Socket): { taken: number } {
    const known = sockets.get(socket)
    if (known) return known
    const places = { taken: 0 }
    sockets.set(socket, places)
    socket.once('close', () => {
      taken -= places.taken
      places.taken = 0
    })
    return places
  }

  return {
    /** A connection that is closed already would never give a place back. */
    hasRoom: (socket: Socket) => taken < max && !socket.destroyed,
    /** Answers what gives it back, to be called once. */
    take(socket: Socket): () => void {
      const places = placesOf(socket)
      taken++
      places.taken++
      return () => {
        if (places.taken === 0) return
        taken--
        places.taken--
      }
    },
  }
}

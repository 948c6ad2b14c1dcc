// What is beyond the service's strength is refused at once, with 503, instead of queueing without end.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { unavailable } from './errors.ts'
import type { Route } from './route.ts'

export interface LoadOptions {
  /** Requests under way at a time, from their headers to the last byte of their answer. */
  maxRequests: number
  /** Connections to the database. */
  connections: number
  /** Milliseconds of a clock that nobody moves. */
  now?: () => number
  /** Nobody waits longer for their turn. */
  patienceMs?: number
}

export interface Load {
  /** Whether another request would wait too long. */
  isFull(): boolean
  /** Does the work of a request when its turn has come. */
  run<T>(
    route: Pick<Route, 'bulk' | 'accepts'>,
    space: string,
    work: () => Promise<T> | T,
  ): Promise<T>
  /** An answer that is sent as it is made: the next piece is made when its turn has come. */
  stream(socket: Socket, space: string, pieces: AsyncIterable<string>): Readable
}

/** For so long the pace is measured before it is believed: a disk may pause for a second or two. */
const windowMs = 5_000

export function createLoad({
  maxRequests,
  connections,
  now = () => performance.now(),
  patienceMs = 10_000,
}: LoadOptions): Load {
  // These keep a connection to the database for long. So they never get all of them: others go on.
  const bulk = createGate(Math.max(1, Math.floor(connections / 2)), patienceMs)
  const uploads = createGate(Math.max(1, Math.floor(connections / 4)), patienceMs)
  const pieces = createGate(Math.max(1, Math.floor(connections / 4)))
  /** Each holds some megabytes for as long as its reader likes. */
  const streams = createPlaces(Math.ceil(maxRequests / 20))
  /** With fewer than this at work nobody waits long, and their pace says nothing. */
  const few = 4 * connections
  let working = 0
  let done = 0
  let since = 0
  let donePerMs = Number.POSITIVE_INFINITY

  return {
    isFull() {
      if (working >= maxRequests) return true
      if (working < few) return false
      const elapsed = now() - since
      if (elapsed >= windowMs) {
        donePerMs = done / elapsed
        since += elapsed
        done = 0
      }
      return working > donePerMs * patienceMs
    },

    async run(route, space, work) {
      if (route.bulk) return bulk(space, work)
      if (route.accepts) return uploads(space, work)
      if (++working === few) {
        since = now()
        done = 0
        donePerMs = Number.POSITIVE_INFINITY
      }
      try {
        return await work()
      } finally {
        working--
        done++
      }
    },

    stream(socket, space, content) {
      if (!streams.hasRoom(socket)) throw unavailable()
      return Readable.from(inTurns(space, content, pieces)).once('close', streams.take(socket))
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

type Gate = <T>(space: string, work: () => Promise<T> | T) => Promise<T>

const maxWaiting = 100

/**
 * Lets so many through at a time, not all of them of one workspace; the others wait in a row, and give
 * up after a while. Next is the workspace that has the fewest running: a busy one delays itself first.
 */
function createGate(places: number, patienceMs?: number): Gate {
  const placesOfOne = Math.max(1, Math.ceil(places / 2))
  const running = new Map<string, number>()
  const waiting = new Set<{ space: string; go: () => void }>()
  let free = places
  const runningOf = (space: string) => running.get(space) ?? 0

  function enter(space: string): void {
    free--
    running.set(space, runningOf(space) + 1)
  }

  function leave(space: string): void {
    free++
    if (runningOf(space) === 1) running.delete(space)
    else running.set(space, runningOf(space) - 1)
    const [first, ...others] = waiting
    if (!first) return
    const next = others.reduce(
      (best, each) => (runningOf(each.space) < runningOf(best.space) ? each : best),
      first,
    )
    if (runningOf(next.space) >= placesOfOne) return
    waiting.delete(next)
    enter(next.space)
    next.go()
  }

  const turn = (space: string) =>
    new Promise<void>((resolve, reject) => {
      const me = { space, go: resolve }
      waiting.add(me)
      if (patienceMs === undefined) return
      const giveUp = () => waiting.delete(me) && reject(unavailable())
      if (waiting.size > maxWaiting) return giveUp()
      const timer = setTimeout(giveUp, patienceMs)
      me.go = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return async <T>(space: string, work: () => Promise<T> | T): Promise<T> => {
    if (free > 0 && runningOf(space) < placesOfOne) enter(space)
    else await turn(space)
    try {
      return await work()
    } finally {
      leave(space)
    }
  }
}

/** Refuses what comes while too much is under way. Comes before the keys: it asks nothing of them. */
export function refuseOverload(app: FastifyInstance, maxRequests: number, load: Load): void {
  const requests = createPlaces(maxRequests)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    if (!requests.hasRoom(socket) || load.isFull()) return done(unavailable())
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

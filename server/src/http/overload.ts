// What is beyond the service's strength is refused at once, with 503, instead of queueing without end.
import type { Socket } from 'node:net'
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
  run<T>(route: Pick<Route, 'bulk' | 'accepts'>, work: () => Promise<T> | T): Promise<T>
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

    async run(route, work) {
      if (route.bulk) return bulk(work)
      if (route.accepts) return uploads(work)
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
  }
}

const maxWaiting = 100

/** Lets so many through at a time; the others wait in a row, and give up after a while. */
function createGate(places: number, patienceMs: number) {
  let free = places
  const waiting = new Set<() => void>()
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(unavailable())
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(unavailable())
      }, patienceMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })
  return async <T>(work: () => Promise<T> | T): Promise<T> => {
    if (free > 0) free--
    else await turn()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else free++
    }
  }
}

/** Refuses what comes while too much is under way. Comes before the keys: it asks nothing of them. */
export function refuseOverload(app: FastifyInstance, maxRequests: number, load: Load): void {
  let open = 0
  // An answer that waits behind another on its connection is not told when that is lost: the
  // connection is what gives its place back then.
  const sockets = new WeakMap<Socket, { open: number }>()
  app.addHook('onRequest', (request, reply, done) => {
    if (open >= maxRequests || load.isFull()) return done(unavailable())
    const { socket } = request.raw
    let mine = sockets.get(socket)
    if (!mine) {
      const fresh = { open: 0 }
      mine = fresh
      sockets.set(socket, fresh)
      socket.once('close', () => {
        open -= fresh.open
        fresh.open = 0
      })
    }
    const held = mine
    open++
    held.open++
    reply.raw.once('close', () => {
      if (held.open === 0) return
      open--
      held.open--
    })
    done()
  })
}

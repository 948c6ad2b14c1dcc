// Watches the event loop: nothing else runs while one piece of work blocks it. Health checks show how long it
// was blocked, and the log names the requests in progress.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { InProgress } from '../in-progress.ts'

/** Milliseconds that work waited for the event loop, in this minute and the previous one. */
export interface LoopDelay {
  p50_ms: number
  p99_ms: number
  max_ms: number
}

/** The monitor's interval, which is included in each delay. */
const resolutionMs = 20
const windowMs = 60_000
const lookMs = 500
/** A longer stall is logged. */
const stallMs = 1_000
/** How many requests the log names. */
const maxNamed = 5

export function watchEventLoop(app: FastifyInstance): () => LoopDelay {
  const start = () => {
    const delays = monitorEventLoopDelay({ resolution: resolutionMs })
    delays.enable()
    return delays
  }
  // The older one counts for another minute, so that a check sees what has just happened.
  let [older, newer] = [start(), start()]
  const rotate = setInterval(() => {
    older.disable()
    older = newer
    newer = start()
  }, windowMs)

  const underWay = new InProgress<FastifyReply>()
  app.addHook('preHandler', (_request, reply, done) => {
    // Also when the client leaves before the end, unlike Fastify's onResponse.
    reply.raw.once('close', underWay.add(reply))
    done()
  })
  let lookedAt = performance.now()
  const look = setInterval(() => {
    const now = performance.now()
    const ms = Math.round(now - lookedAt - lookMs)
    lookedAt = now
    if (ms < stallMs) return
    // The last one is probably the cause: the others have been waiting for the database.
    const byStart = underWay.all().sort((a, b) => b.elapsedTime - a.elapsedTime)
    const requests = byStart.slice(-maxNamed).map(describe)
    app.log.warn({ ms, requests }, 'the event loop was blocked')
  }, lookMs)
  rotate.unref()
  look.unref()
  app.addHook('onClose', async () => {
    clearInterval(rotate)
    clearInterval(look)
    older.disable()
    newer.disable()
  })
  const inMs = (nanoseconds: number) =>
    Math.max(0, Math.round(nanoseconds / 1e5 - 10 * resolutionMs) / 10)
  return () => ({
    p50_ms: inMs(older.percentile(50)),
    p99_ms: inMs(older.percentile(99)),
    max_ms: inMs(older.max),
  })
}

function describe({ request: { method, routeOptions, id } }: FastifyReply): string {
  return `${method} ${routeOptions.url} ${id}`
}

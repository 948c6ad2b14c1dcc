// What monitoring collects: counts and times, in the text format of Prometheus. Nothing here says who: labels
// are routes, never ids, names or addresses.
import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@rapport/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from '../mail/smtp.ts'
import type { Answer } from '../outgoing/post.ts'
import { version } from '../version.ts'
import type { LoopDelay } from './event-loop.ts'
import type { Load } from './overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The text of all metrics. */
    metrics: () => Promise<string>
  }
}

type Labels = Record<string, string | number>

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** `part` is appended to the name: a histogram has three. */
  values: { value: number; labels?: Labels; part?: string }[]
}

/** One number that goes up and down. Undefined: nothing is known about it. */
export const gauge = (name: string, help: string, value: number | undefined): Metric => ({
  ...{ name, help, type: 'gauge' },
  values: value === undefined ? [] : [{ value }],
})

export interface MetricsOptions {
  /** Required of those who ask the service itself. Undefined: the service does not answer them. */
  token: string | undefined
  requests: RequestCounts
  deliveries: DeliveryCounts
  eventLoop: () => LoopDelay
  load: Load
  /** What is in the database and on disk. */
  stored: () => Promise<Metric[]>
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

export function serveMetrics(
  app: FastifyInstance,
  { token, requests, deliveries, eventLoop, load, stored }: MetricsOptions,
): void {
  app.decorate('metrics', async () => {
    const isUp = (value: number) => gauge('database_up', 'Whether the database answers.', value)
    const found = await stored().then(
      (metrics) => [isUp(1), ...metrics],
      () => [isUp(0)],
    )
    const counted = [...requests.metrics(), ...deliveries.metrics()]
    const all = [...counted, ...ofProcess(eventLoop()), ...ofQueues(load), ...found]
    return all.map(written).join('')
  })
  if (token === undefined) return
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request, token)) throw new ApiError('UNAUTHORIZED')
    return reply.type(contentType).send(await app.metrics())
  })
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

/** The upper limits of the buckets, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The requests of one method and route. */
interface Count {
  labels: Labels
  byStatus: Map<string, number>
  /** How many were as quick as each bucket says, but no quicker. The last one has no limit. */
  byTime: number[]
  seconds: number
}

export interface RequestCounts {
  /** Counts a request whose response has been sent, or will never be. */
  count(request: FastifyRequest, reply: FastifyReply): void
  metrics(): Metric[]
}

export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, Count>()

  /** By routes, not paths: those have ids in them, and there would be no end of them. */
  function countOf({ method, routeOptions }: FastifyRequest): Count {
    const route = routeOptions.url ?? 'other'
    const key = `${method} ${route}`
    const known = counts.get(key)
    if (known) return known
    const byTime = Array(buckets.length + 1).fill(0)
    const count = { labels: { method, route }, byStatus: new Map(), byTime, seconds: 0 }
    counts.set(key, count)
    return count
  }

  return {
    count(request, reply) {
      const count = countOf(request)
      const status = reply.raw.writableFinished ? String(reply.statusCode) : 'aborted'
      count.byStatus.set(status, (count.byStatus.get(status) ?? 0) + 1)
      const seconds = reply.elapsedTime / 1000
      const bucket = buckets.findIndex((limit) => seconds <= limit)
      const at = bucket === -1 ? buckets.length : bucket
      count.byTime[at] = (count.byTime[at] ?? 0) + 1
      count.seconds += seconds
    },
    metrics() {
      const all = [...counts.values()]
      return [
        {
          ...{ name: 'requests_total', type: 'counter', help: 'Requests by route and status.' },
          values: all.flatMap(({ labels, byStatus }) =>
            [...byStatus].map(([status, value]) => ({ value, labels: { ...labels, status } })),
          ),
        },
        {
          ...{ name: 'request_seconds', type: 'histogram' },
          help: 'Time until the response was sent.',
          values: all.flatMap(timesOf),
        },
      ]
    },
  }
}

export interface DeliveryCounts {
  /** Counts an attempt to deliver a webhook. */
  count(answer: Pick<Answer, 'status' | 'tookMs'>): void
  /** Counts an attempt to send a mail. */
  countMail(came: Result['came']): void
  metrics(): Metric[]
}

export function createDeliveryCounts(): DeliveryCounts {
  const byStatus = new Map<string, number>()
  const mails = new Map<string, number>()
  let seconds = 0
  return {
    countMail: (came) => void mails.set(came, (mails.get(came) ?? 0) + 1),
    count({ status, tookMs }) {
      const label = status === null ? 'none' : String(status)
      byStatus.set(label, (byStatus.get(label) ?? 0) + 1)
      seconds += tookMs / 1000
    },
    metrics: () => [
      {
        ...{ name: 'webhook_attempts_total', type: 'counter' },
        help: 'Attempts to deliver webhooks, by status of the response.',
        values: [...byStatus].map(([status, value]) => ({ value, labels: { status } })),
      },
      {
        ...{ name: 'webhook_seconds_total', type: 'counter', help: 'Time of these attempts.' },
        values: [{ value: seconds }],
      },
      {
        ...{ name: 'mail_attempts_total', type: 'counter', help: 'Attempts to send mails.' },
        values: [...mails].map(([result, value]) => ({ value, labels: { result } })),
      },
    ],
  }
}

function timesOf({ labels, byTime, seconds }: Count): Metric['values'] {
  let value = 0
  const cumulative = byTime.map((count, at) => {
    value += count
    return { part: '_bucket', value, labels: { ...labels, le: buckets[at] ?? '+Inf' } }
  })
  return [
    ...cumulative,
    { part: '_sum', value: seconds, labels },
    { part: '_count', value, labels },
  ]
}

function ofProcess({ p50_ms, p99_ms, max_ms }: LoopDelay): Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      ...{ name: 'build_info', type: 'gauge', help: 'The release that is running.' },
      values: [{ value: 1, labels: { version, node: process.version } }],
    },
    gauge('uptime_seconds', 'Time since the start.', process.uptime()),
    gauge('memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    {
      ...{ name: 'cpu_seconds_total', type: 'counter', help: 'CPU time of the process.' },
      values: [{ value: (user + system) / 1e6 }],
    },
    {
      ...{ name: 'event_loop_delay_seconds', type: 'summary' },
      help: 'How long work waited for the event loop in the last one to two minutes.',
      values: Object.entries({ 0.5: p50_ms, 0.99: p99_ms, 1: max_ms }).map(([quantile, ms]) => ({
        ...{ value: ms / 1000, labels: { quantile } },
      })),
    },
  ]
}

function ofQueues(load: Load): Metric[] {
  const queues = Object.entries(load.queues())
  const values = (of: 'slots' | 'running' | 'waiting') =>
    queues.map(([queue, counts]) => ({ value: counts[of], labels: { queue } }))
  return [
    {
      ...{ name: 'queue_slots', type: 'gauge', values: values('slots') },
      help: 'Requests that may be at the database at a time, by kind.',
    },
    {
      ...{ name: 'queue_running', type: 'gauge', values: values('running') },
      help: 'Requests that are at the database, by kind.',
    },
    {
      ...{ name: 'queue_waiting', type: 'gauge', values: values('waiting') },
      help: 'Requests that wait for their turn, by kind.',
    },
  ]
}

function written({ name, help, type, values }: Metric): string {
  const full = `rapport_${name}`
  const lines = values.map(
    ({ value, labels = {}, part = '' }) => `${full}${part}${inBraces(labels)} ${value}\n`,
  )
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

function inBraces(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

// The log: one line per request. JSON for machines, plain text on a terminal.
import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { LogLevel } from '../config.ts'
import { errorForLog } from '../db/error-for-log.ts'

export function loggerOptions(level: LogLevel): FastifyServerOptions['logger'] {
  if (level === 'silent') return false
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Headers are never logged, because they hold keys. logRequests chooses what is logged.
    serializers: { req: () => ({}), res: () => ({}), err: errorForLog },
    stream: process.stdout.isTTY ? terminalStream() : batchedStdout(),
  }
}

/**
 * `onEnd` is called when a response has been sent, or never will be. Returns the address of a proxy whose headers were
 * ignored, if there was one.
 */
export function logRequests(
  app: FastifyInstance,
  onEnd: (request: FastifyRequest, reply: FastifyReply) => void,
): { ignoredProxy: () => string | undefined } {
  app.addHook('onRequest', (request, reply, done) => {
    // Also when the client leaves before the end, unlike Fastify's onResponse.
    reply.raw.once('close', () => {
      const { headersSent, writableFinished } = reply.raw
      const { principal, routeOptions, ip } = request
      // Monitoring asks every few seconds.
      const level = isProbe(routeOptions.url) && reply.statusCode < 400 ? 'debug' : 'info'
      request.log[level](
        {
          method: request.method,
          path: loggedPath(request.url),
          ...(headersSent && { status: reply.statusCode }),
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...{ ip, id_space: principal?.space, id_member: principal?.user, id_key: principal?.key },
          ...(!writableFinished && { aborted: true }),
        },
        'request',
      )
      onEnd(request, reply)
    })
    warnOfProxy(request)
    done()
  })
  let ignored: string | undefined
  /** Once. Otherwise all clients of a proxy that is not listed are one client, and their links are http. */
  function warnOfProxy({ headers, ip, ips = [], log }: FastifyRequest): void {
    if (ignored !== undefined || headers['x-forwarded-for'] === undefined) return
    // The sender, and behind a listed proxy the one that it names.
    if (ips.length > 1) return
    ignored = ip
    log.warn(
      `Ignored the X-Forwarded headers of ${ignored}. If this is your proxy, set TRUST_PROXY to its address.`,
    )
  }
  return { ignoredProxy: () => ignored }
}

/** Without the query, and without secrets (access/keys.ts): those of calendars, and others that somebody puts there. */
const loggedPath = (url: string) => url.split('?', 1)[0]?.replace(/\b(r[a-z])_[\w-]{20,}/g, '$1_…')

const isProbe = (route = '') => ['/healthz', '/readyz', '/metrics'].includes(route)

/** How much of the log waits in memory while stdout is read too slowly. Lines beyond that are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024

/** Writes all lines of one turn of the event loop in one write. One write per line costs twice as much. */
function batchedStdout(): { write(line: string): void } {
  const put = isPipe() ? putIntoPipe : countingDropped((text) => writeSync(stdout, text))
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text) put(text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (!lines) setImmediate(flush)
      lines += line
    },
  }
}

const stdout = 1

/** A pipe or a socket, not a file. */
function isPipe(): boolean {
  const kind = fstatSync(stdout)
  return kind.isFIFO() || kind.isSocket()
}

/** process.stdout keeps what a full pipe does not take: a direct write to the file descriptor would throw EAGAIN. */
function putIntoPipe(text: string): void {
  if (process.stdout.writableLength < maxWaitingBytes) process.stdout.write(text)
}

/**
 * Lines that cannot be written, because the disk is full, are dropped. The first line after them says how many they
 * were. process.stdout would never write again after its first error.
 */
export function countingDropped(write: (text: string) => void): (text: string) => void {
  let dropped = 0
  return (text) => {
    try {
      if (dropped > 0) {
        const about = { level: 'warn', time: new Date().toISOString(), dropped }
        // A line may be cut in the middle.
        write(`\n${JSON.stringify({ ...about, msg: 'lines of the log could not be written' })}\n`)
        dropped = 0
      }
      write(text)
    } catch {
      dropped += text.split('\n').length - 1
    }
  }
}

/** Formats the JSON lines for people. */
function terminalStream(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      const { level, time, msg, method, path, status, aborted, ms, err } = JSON.parse(String(chunk))
      const clock = time.slice(11, 19)
      process.stdout.write(
        msg === 'request'
          ? `${clock}  ${method.padEnd(6)} ${path}  ${aborted ? 'aborted' : status}  ${ms} ms\n`
          : `${clock}  ${level}  ${msg}${err ? `\n${err.stack}` : ''}\n`,
      )
      done()
    },
  })
}

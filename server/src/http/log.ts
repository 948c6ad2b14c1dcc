// The log: one line per request. JSON for machines, plain text on a terminal.
import { Writable } from 'node:stream'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
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

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        // Without the query, which may hold secrets.
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        id_space: request.principal?.space,
      },
      'request',
    )
    done()
  })
}

/** How much of the log waits in memory while stdout is read too slowly. Lines beyond that are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Writes all lines of one turn of the event loop in one write. One write per line costs twice as much.
 * It uses process.stdout, which buffers what a full pipe does not take: a direct write to the file
 * descriptor would throw EAGAIN.
 */
function batchedStdout(): { write(line: string): void } {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text && process.stdout.writableLength < maxWaitingBytes) process.stdout.write(text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (!lines) setImmediate(flush)
      lines += line
    },
  }
}

/** Formats the JSON lines for people. */
function terminalStream(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      const { level, time, msg, method, path, status, ms, err } = JSON.parse(String(chunk))
      const clock = time.slice(11, 19)
      process.stdout.write(
        msg === 'request'
          ? `${clock}  ${method.padEnd(6)} ${path}  ${status}  ${ms} ms\n`
          : `${clock}  ${level}  ${msg}${err ? `\n${err.stack}` : ''}\n`,
      )
      done()
    },
  })
}

// One line a request: JSON for machines, plain text on a terminal.
import { Writable } from 'node:stream'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { LogLevel } from '../config.ts'

export function loggerOptions(level: LogLevel): FastifyServerOptions['logger'] {
  if (level === 'silent') return false
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Headers are never logged, so no key is either; a request is told by what logRequests picks.
    serializers: { req: () => ({}), res: () => ({}) },
    stream: process.stdout.isTTY ? terminal() : together(),
  }
}

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        // Without the query: people put secrets there.
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

/** How much of the log may wait for a reader that is too slow. More is dropped. */
const maxWaitingBytes = 16 * 1024 * 1024

/**
 * Writes the lines of one turn of the event loop together: one write for each line costs twice as
 * much. process.stdout keeps what a full pipe does not take; a plain write to it would throw EAGAIN.
 */
function together(): { write(line: string): void } {
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

function terminal(): Writable {
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

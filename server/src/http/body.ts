// Reads the body of a request: JSON as a value, uploads as a stream. Checks size, encoding, what the JSON
// holds (examine-json.ts) and time.
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { type ApiError, badRequest, requestFault } from '@rapport/contract/errors'
import { maxFileBytes } from '@rapport/contract/transfer.values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitInBytes } from '../words.ts'
import { examineJson, unstorable } from './examine-json.ts'
import type { Upload } from './handler.ts'

export const maxBodyBytes = 16 * 1024 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came; undefined when it was empty or is read as a stream. */
    bodyBuffer: Buffer | undefined
  }
  interface FastifyContextConfig {
    /** Content types of a streamed upload, for routes that take one. */
    accepts?: readonly string[]
  }
}

/** A larger body takes milliseconds to parse and check. */
const largeBytes = 262_144

export function acceptJson(app: FastifyInstance): void {
  const inLine = createLine()
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBuffer', undefined)

  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, buffer, done) => {
      if (buffer.length === 0) return done(null, {})
      request.bodyBuffer = buffer
      const read = () => {
        const { fault, body } = readJson(buffer)
        done(fault ?? null, body)
      }
      if (buffer.length > largeBytes) inLine(read)
      else read()
    },
  )

  // Some clients send a content type and no body. That counts as {}.
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, buffer, done) => {
    if (buffer.length === 0) return done(null, {})
    done(requestFault('content_type', 'Send the body as application/json', 415))
  })
}

/**
 * Refuses with 408 a body that is not complete after this time, or a streamed upload that pauses this
 * long.
 */
export function limitBodyTime(app: FastifyInstance, bodyMs: number): void {
  const watch = ({ raw, routeOptions }: FastifyRequest, reply: FastifyReply) => {
    if (!('content-length' in raw.headers || 'transfer-encoding' in raw.headers)) return
    const { socket } = raw
    const giveUp = () => {
      const error = Object.assign(new Error('The body arrived too slowly'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      app.server.emit('clientError', error, socket)
    }
    if (routeOptions.config.accepts) {
      raw.setTimeout(bodyMs, () => {
        const { bytesRead } = socket
        // Bytes that arrived while the service was busy are read before this. Then the client was not
        // late.
        setImmediate(() => {
          const isLate = raw.readableLength === 0 && socket.bytesRead === bytesRead
          if (isLate && !raw.complete) giveUp()
          else socket.setTimeout(bodyMs)
        })
      })
      // The work on a complete body can take long. Without this listener Node would close the
      // connection.
      reply.raw.on('timeout', () => {})
      return
    }
    const timer = setTimeout(() => !raw.complete && !socket.destroyed && giveUp(), bodyMs)
    // A request whose connection was lost in the middle of its body may get no 'close' event. Its timer
    // must not keep the process alive.
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  }
  app.addHook('onRequest', (request, reply, done) => {
    watch(request, reply)
    done()
  })
}

/** Streams bodies of these types to the routes that accept them. Other routes refuse them with 415. */
export function acceptUploads(app: FastifyInstance, types: string[]): void {
  if (types.length === 0) return
  app.addContentTypeParser(types, (request, payload, done) => {
    if (request.routeOptions.config.accepts) done(null, payload)
    else done(requestFault('content_type', 'Send the body as application/json', 415))
  })
}

export function readUpload(request: FastifyRequest, accepts: readonly string[]): Upload {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';')
  const name = type.trim().toLowerCase()
  const { body } = request
  if (!(body instanceof Readable) || !accepts.includes(name)) {
    throw requestFault('content_type', `Send the body as ${accepts.join(' or ')}`, 415)
  }
  const charset = parameters.map((text) => /^\s*charset="?([^"]+)"?\s*$/i.exec(text)?.[1])
  return { type: name, charset: charset.find(Boolean), content: limited(body) }
}

/** Keeps the connection open when the caller stops reading: the response is still to be sent. */
async function* limited(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > maxFileBytes) {
      throw requestFault('too_large', `The body is larger than ${limitInBytes(maxFileBytes)}`, 413)
    }
    yield chunk
  }
}

export function readJson(buffer: Buffer): { body?: unknown; fault?: ApiError } {
  if (!isUtf8(buffer)) return { fault: requestFault('encoding', 'The body is not valid UTF-8') }
  const { fault, isSuspicious } = examineJson(buffer)
  if (fault) return { fault: requestFault(fault.code, fault.message) }
  const text = buffer.toString()
  if (text.trim() === '') return { body: {} }
  // A key called __proto__ does no harm: no code copies keys by assignment.
  const body = parse(text)
  if (body === undefined) return { fault: requestFault('json', 'The body is not valid JSON') }
  const faults = isSuspicious ? unstorable(body) : []
  return faults.length > 0 ? { fault: badRequest(faults) } : { body }
}

/** One piece of work in each turn of the event loop, so that other requests get their turns. */
function createLine(): (work: () => void) => void {
  const line: (() => void)[] = []
  const next = () => {
    const work = line.shift()
    if (line.length > 0) setImmediate(next)
    work?.()
  }
  return (work) => {
    if (line.push(work) === 1) setImmediate(next)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

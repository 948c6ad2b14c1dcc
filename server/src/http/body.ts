// Reads the body of a request: JSON as a value, uploads as a stream. Checks size, encoding, nesting
// depth and time, and finds text that PostgreSQL cannot store.
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { badRequest, type Issue, requestFault } from '@rapport/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Upload } from './handler.ts'

export const maxBodyBytes = 16 * 1024 * 1024
/** Limit for streamed uploads. */
export const maxUploadBytes = 1024 * 1024 * 1024

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

/** Deeper than any real body, and shallow enough for recursive functions. */
const maxDepth = 500

export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBuffer', undefined)

  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, buffer, done) => {
      if (buffer.length === 0) return done(null, {})
      request.bodyBuffer = buffer
      if (!isUtf8(buffer)) return done(requestFault('encoding', 'The body is not valid UTF-8'))
      if (isTooDeep(buffer)) {
        return done(requestFault('too_deep', `The body is nested deeper than ${maxDepth} levels`))
      }
      const text = buffer.toString()
      if (text.trim() === '') return done(null, {})
      // A key called __proto__ does no harm: no code copies keys by assignment.
      const body = parse(text)
      if (body === undefined) return done(requestFault('json', 'The body is not valid JSON'))
      // Text that cannot be stored needs a \u escape. A number that cannot be stored needs a large
      // exponent or very many digits. Without these the search through all values is not needed.
      const faults = suspicious.test(text) ? unstorable(body) : []
      done(faults.length > 0 ? badRequest(faults) : null, body)
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
      const error = Object.assign(new Error('Too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
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
    if (bytes > maxUploadBytes) {
      throw requestFault('too_large', 'The body is larger than 1 GiB', 413)
    }
    yield chunk
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const suspicious = /\\u|\d[eE]\+?\d{3}|\d{309}/

/** Finds what PostgreSQL cannot store: NUL characters, unpaired surrogates and infinite numbers. */
export function unstorable(body: unknown): Issue[] {
  const faults: Issue[] = []
  const bad = (text: string) => text.includes('\0') || !isWellFormed(text)
  const visit = (value: unknown, path: Issue['path']): void => {
    if (typeof value === 'string') {
      if (bad(value)) {
        faults.push({
          path,
          code: 'text',
          message: 'Holds a character that cannot be stored (NUL or an unpaired surrogate)',
        })
      }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        faults.push({ path, code: 'number', message: 'Is too large a number' })
      }
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visit(item, [...path, index])
      })
    } else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        if (bad(key)) {
          faults.push({ path, code: 'text', message: 'A field name cannot be stored' })
        }
        visit(item, [...path, key])
      }
    }
  }
  visit(body, [])
  return faults
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** Counts brackets in the bytes, before any recursive function gets the value. */
export function isTooDeep(json: Buffer): boolean {
  if (json.length <= maxDepth) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case 0x22: // a string: its brackets do not count
        for (at++; at < json.length && json[at] !== 0x22; at++) if (json[at] === 0x5c) at++
        break
      case 0x5b:
      case 0x7b:
        if (++depth > maxDepth) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return false
}

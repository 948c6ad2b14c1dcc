// Sends a request to an address that somebody has entered. It goes only where the guard allows: the address that was
// checked is the one that is connected to, and redirects are not followed.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type Address, addressOf, createGuard, type Guard, type Resolve } from './addresses.ts'

/** The whole attempt: name, connection, request and response. */
export const timeoutMs = 15_000
/** Of a response, this much is read, and this much is kept. */
const readBytes = 64 * 1024
const keptBytes = 1024

export interface Answer {
  /** Null: there was no response, and `error` says why. */
  status: number | null
  error: string | null
  /** The beginning of the response. */
  text: string
  tookMs: number
  /** Retry-After of the response. */
  retryAfterMs: number | undefined
}

export interface Request {
  url: string
  headers: Record<string, string>
  body: string
  /** When aborted, the attempt ends without a response. */
  signal?: AbortSignal
}

/** Connections to one address, for several requests in sequence. */
export interface Line {
  post(request: Request): Promise<Answer>
  close(): void
}

export interface Outgoing {
  openLine(): Line
  /** What is wrong with an address, as far as that can be said without looking up its name. */
  faultOf(url: string): string | undefined
}

class Refused extends Error {}

const notAllowed =
  'is a private or reserved address. The operator of the server can allow its network with WEBHOOK_ALLOW'
const needsTls = 'Must begin with https://, unless it leads to a network in WEBHOOK_ALLOW'

export function createOutgoing(allow: string[], resolve: Resolve, limitMs = timeoutMs): Outgoing {
  const guard = createGuard(allow)
  return {
    openLine: () => openLine(guard, resolve, limitMs),
    faultOf(text) {
      if (!URL.canParse(text)) return 'Must be an address like https://example.com/hook'
      const url = new URL(text)
      if (!['https:', 'http:'].includes(url.protocol)) return needsTls
      if (url.username || url.password) return 'Must not contain a user or a password'
      const literal = addressOf(url.hostname)
      if (literal && !guard.mayReach(literal)) return `${url.hostname} ${notAllowed}`
      const mayBePlain = literal ? guard.isAllowed(literal) : guard.hasAllowed
      return url.protocol === 'http:' && !mayBePlain ? needsTls : undefined
    },
  }
}

function openLine(guard: Guard, resolve: Resolve, limitMs: number): Line {
  const check = (host: string, addresses: Address[], isPlain: boolean) => {
    if (addresses.length === 0) throw new Refused(`The name ${host} cannot be resolved`)
    if (!addresses.every(guard.mayReach)) throw new Refused(`${host} ${notAllowed}`)
    if (isPlain && !addresses.every(guard.isAllowed)) throw new Refused(needsTls)
  }
  /** Called for each new connection, unless the host is an address. */
  const lookupFor =
    (isPlain: boolean): LookupFunction =>
    (host, { all }, callback) => {
      resolve(host).then(
        (addresses) => {
          try {
            check(host, addresses, isPlain)
          } catch (error) {
            return callback(error as Error, [])
          }
          const [first] = addresses as [Address]
          if (all) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        (error) => callback(error, []),
      )
    }
  const shared = { keepAlive: true, maxSockets: 1 }
  // Agents of our own: the global ones may use a proxy of the environment.
  const plain = new HttpAgent({ ...shared, lookup: lookupFor(true) })
  const secure = new HttpsAgent({ ...shared, lookup: lookupFor(false), rejectUnauthorized: true })

  return {
    async post(request) {
      const started = performance.now()
      const took = () => Math.round(performance.now() - started)
      try {
        const url = new URL(request.url)
        const literal = addressOf(url.hostname)
        if (literal) check(url.hostname, [literal], url.protocol === 'http:')
        const response = await send(url, request)
        const text = await beginningOf(response)
        const retryAfterMs = readRetryAfter(response.headers['retry-after'])
        return { status: response.statusCode ?? 0, error: null, text, tookMs: took(), retryAfterMs }
      } catch (error) {
        const said = sayError(error as Error)
        return { status: null, error: said, text: '', tookMs: took(), retryAfterMs: undefined }
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }

  async function send(url: URL, request: Request, isAgain = false): Promise<IncomingMessage> {
    const { headers, body, signal } = request
    const isPlain = url.protocol === 'http:'
    const sent = (isPlain ? httpRequest : httpsRequest)(url, {
      ...{ method: 'POST', agent: isPlain ? plain : secure },
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    const end = (reason: string) => () => sent.destroy(new Refused(reason))
    const timer = setTimeout(end(`No response within ${limitMs / 1000} seconds`), limitMs)
    const stop = end('The server was stopped during the attempt')
    signal?.addEventListener('abort', stop)
    sent.once('close', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    })
    try {
      return await new Promise((resolve, reject) => {
        sent.once('response', resolve)
        // It stays: an error after the response is that of its body.
        sent.on('error', reject)
        if (signal?.aborted) stop()
        else sent.end(body)
      })
    } catch (error) {
      // The other side has closed a connection that was kept open for the next request.
      const { code } = error as NodeJS.ErrnoException
      if (!sent.reusedSocket || code !== 'ECONNRESET' || isAgain) throw error
      return send(url, request, true)
    }
  }
}

/** Whatever happens to the body, the status has been received. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of response) {
      if (bytes < keptBytes) pieces.push(piece)
      bytes += piece.length
      // The loop then closes the connection.
      if (bytes > readBytes) break
    }
  } catch {
    // It ended early.
  }
  const text = Buffer.concat(pieces).subarray(0, keptBytes).toString()
  // PostgreSQL stores no NUL, and a character may be cut in two.
  return text.replaceAll('\u0000', '').replace(/\uFFFD$/, '')
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

function sayError(error: NodeJS.ErrnoException): string {
  if (error instanceof Refused) return error.message
  // Several addresses were tried.
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const { code = '', message } = first as NodeJS.ErrnoException
  const known: Record<string, string> = {
    ECONNREFUSED: 'The connection was refused',
    ECONNRESET: 'The connection was closed without a response',
    EPIPE: 'The connection was closed without a response',
    ETIMEDOUT: 'The connection timed out',
    EHOSTUNREACH: 'The host is unreachable',
    ENETUNREACH: 'The network is unreachable',
    CERT_HAS_EXPIRED: 'The certificate has expired',
    ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name',
  }
  const said = known[code] ?? (/CERT|SIGNATURE/.test(code) ? 'The certificate is not trusted' : '')
  return said || (code.startsWith('HPE_') ? 'The response is not HTTP' : message)
}

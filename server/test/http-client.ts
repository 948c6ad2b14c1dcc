// The HTTP client of tests, bench and torture. It uses node:http, because fetch refuses to send many
// of the requests that the torture needs.
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export interface HttpRequest {
  method: string
  /** As it goes over the wire, with the query. */
  path: string
  headers: Record<string, string | string[]>
  body?: string | Buffer
}

export interface HttpAnswer {
  status: number
  headers: Headers
  text: string
}

/** The connection broke after the head of the response had arrived. */
export class IncompleteAnswer extends Error {}

/** The request got no response in time. */
export class NoAnswer extends Error {}

/** Keeps its connections open between requests. Does not follow redirects. */
export class HttpClient {
  readonly #agent: Agent
  readonly #timeoutMs: number

  /** A timeout of 0 means none. */
  constructor({ connections = Number.POSITIVE_INFINITY, timeoutMs = 0 } = {}) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#timeoutMs = timeoutMs
  }

  /**
   * `server` is an address without a path: http://127.0.0.1:8080. Of server-sent events, which do not end,
   * the text is the first piece; the connection is then closed.
   */
  async send(server: string, wanted: HttpRequest): Promise<HttpAnswer> {
    const response = await this.open(server, wanted)
    const reading = isEndless(response) ? firstPiece(response) : readText(response)
    const text = await reading.catch(({ message }) => {
      throw new IncompleteAnswer(message)
    })
    return { status: response.statusCode ?? 0, headers: headersOf(response), text }
  }

  /** Returns as soon as the head of the response has arrived. The caller reads the rest. */
  open(server: string, { method, path, headers, body }: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      // Node itself sends no length with a GET or DELETE. The server would then read the body as the
      // next request.
      const isMeasured = body !== undefined && !('Transfer-Encoding' in headers)
      const length = isMeasured ? { 'Content-Length': Buffer.byteLength(body) } : {}
      const call = request(server, {
        agent: this.#agent,
        method,
        path,
        headers: { ...length, ...headers },
      })
      call.setTimeout(this.#timeoutMs, () =>
        call.destroy(new NoAnswer(`No answer within ${this.#timeoutMs / 1000} seconds`)),
      )
      call.on('error', reject)
      call.once('response', resolve)
      call.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

const isEndless = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

async function firstPiece(response: IncomingMessage): Promise<string> {
  for await (const piece of response) return String(piece)
  return ''
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return headers
}

/** A request below /rest. A body of another type than JSON is sent as it is. */
export function restRequest(
  key: string,
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): HttpRequest {
  const common = { method, path: `/rest${path}` }
  if (body === undefined) return { ...common, headers: { 'X-API-KEY': key } }
  return {
    ...common,
    headers: { 'X-API-KEY': key, 'Content-Type': type },
    body: type === 'application/json' ? JSON.stringify(body) : String(body),
  }
}

export interface Answer extends HttpAnswer {
  /** The value of a JSON answer, the text of any other. */
  // biome-ignore lint/suspicious/noExplicitAny: callers look into answers freely and check what they find
  body: any
}

export function withBody(answer: HttpAnswer): Answer {
  const { headers, text } = answer
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return { ...answer, body: isJson ? parsed(text) : text }
}

/** Broken JSON stays text, so that the check that fails on it shows it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

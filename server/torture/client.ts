// A client that takes note of every answer, and knows which ones the service may give.
import { Agent, request } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { apiKey } from './server.ts'
import { Breach } from './torture.ts'

export interface Request {
  method: string
  path: string
  body?: unknown
  /** A body of another type is sent as it is. */
  type?: string
  /** The answer is sent while it is made: what fails by then can only break it off. */
  streams?: true
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
type Body = any

const unavailableBody = {
  code: 'INTERNAL_SERVER_ERROR',
  message: 'Internal server error',
  issues: [],
}

export class Client {
  /** Requests by what became of them. */
  readonly counts = { answered: 0, unavailable: 0, cut: 0 }
  slowestMs = 0
  #url: string | undefined
  #downs = 0
  readonly #agent = new Agent({ keepAlive: true })

  /** The server is about to be killed or stopped: from now on connections may break. */
  down(): void {
    this.#url = undefined
    this.#downs++
  }

  up(url: string): void {
    this.#url = url
  }

  get isUp(): boolean {
    return this.#url !== undefined
  }

  close(): void {
    this.#agent.destroy()
  }

  /**
   * The body of a 200. Undefined: a clean 503, or the server went away. Whatever else comes is a
   * breach: nothing here is wrong with the input, and only a dead process may drop a connection.
   */
  async send(wanted: Request): Promise<Body | undefined> {
    const url = this.#url
    const downs = this.#downs
    if (url === undefined) return undefined
    const started = performance.now()
    const named = `${wanted.method} ${wanted.path}`
    let answer: { status: number; text: string }
    try {
      answer = await exchange(this.#agent, url, wanted)
    } catch (error) {
      this.counts.cut++
      if (this.#downs !== downs || (wanted.streams && error instanceof BrokenOff)) return undefined
      throw new Breach(`${named}: no answer, though the server was up (${error})`)
    }
    const ms = Math.round(performance.now() - started)
    this.slowestMs = Math.max(this.slowestMs, ms)
    const body = JSON.parse(answer.text)
    if (answer.status === 200) {
      this.counts.answered++
      return body
    }
    if (answer.status === 503 && isDeepStrictEqual(body, unavailableBody)) {
      this.counts.unavailable++
      return undefined
    }
    throw new Breach(`${named}: answered ${answer.status} ${answer.text.slice(0, 500)}`)
  }
}

/** After the head of the answer. */
class BrokenOff extends Error {}

function exchange(
  agent: Agent,
  url: string,
  { method, path, body, type = 'application/json' }: Request,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/rest${path}`, {
      agent,
      method,
      headers: { 'X-API-KEY': apiKey, ...(body !== undefined && { 'Content-Type': type }) },
    })
    call.once('error', reject)
    call.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.once('error', ({ message }) => reject(new BrokenOff(message)))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    // The whole request at once; so its length is known.
    if (body === undefined) call.end()
    else call.end(type === 'application/json' ? JSON.stringify(body) : String(body))
  })
}

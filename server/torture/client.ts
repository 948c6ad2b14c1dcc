// A client that counts every response and accepts only those that the service may give.
import { isDeepStrictEqual } from 'node:util'
import {
  type Answer,
  HttpClient,
  IncompleteAnswer,
  restRequest,
  withBody,
} from '../test/http-client.ts'
import { apiKey } from './server.ts'
import { Breach } from './torture.ts'

export interface Request {
  method: string
  path: string
  body?: unknown
  /** A body of another type is sent as it is. */
  type?: string
  /** The response is a stream: an error after its start can only cut it off. */
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
  /** How requests ended. */
  readonly counts = { answered: 0, unavailable: 0, cut: 0 }
  slowestMs = 0
  #url: string | undefined
  #downs = 0
  readonly #http = new HttpClient()
  readonly #key: string

  /** The default is the key of the first workspace. */
  constructor(key = apiKey) {
    this.#key = key
  }

  /** Call it before the server is killed or stopped: from then on connections may break. */
  down(): void {
    this.#url = undefined
    this.#downs++
  }

  up(url: string): void {
    this.#url = url
  }

  /** How often the server was killed or stopped. */
  get downs(): number {
    return this.#downs
  }

  get isUp(): boolean {
    return this.#url !== undefined
  }

  close(): void {
    this.#http.close()
  }

  /**
   * Returns the body of a 200; undefined after a clean 503, or when the server went away. Anything
   * else is a breach: the input is right, and only a dead process may drop a connection.
   */
  async send(wanted: Request): Promise<Body | undefined> {
    const url = this.#url
    const downs = this.#downs
    if (url === undefined) return undefined
    const started = performance.now()
    const named = `${wanted.method} ${wanted.path}`
    let answer: Answer
    try {
      const { method, path, body, type } = wanted
      answer = withBody(
        await this.#http.send(url, restRequest(this.#key, method, path, body, type)),
      )
    } catch (error) {
      this.counts.cut++
      const isCut = wanted.streams && error instanceof IncompleteAnswer
      if (this.#downs !== downs || isCut) return undefined
      throw new Breach(`${named}: no answer, although the server was up (${error})`)
    }
    const ms = Math.round(performance.now() - started)
    this.slowestMs = Math.max(this.slowestMs, ms)
    if (answer.status === 200) {
      this.counts.answered++
      return answer.body
    }
    if (answer.status === 503 && isDeepStrictEqual(answer.body, unavailableBody)) {
      this.counts.unavailable++
      return undefined
    }
    throw new Breach(`${named} returned ${answer.status} ${answer.text.slice(0, 500)}`)
  }
}

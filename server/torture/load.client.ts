// A client that keeps its connections, and what it saw.
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../src/random.ts'

export interface Call {
  method: string
  path: string
  key: string
  body?: unknown
}

export interface Reply {
  status: number
  ms: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A number of connections to one server. */
export class Client {
  readonly #agent: Agent
  readonly #url: string

  constructor(url: string, connections: number) {
    this.#url = url
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  send({ method, path, key, body }: Call): Promise<Reply> {
    const started = performance.now()
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    return new Promise((resolve, reject) => {
      const call = request(
        this.#url + path,
        {
          method,
          agent: this.#agent,
          headers: {
            'X-API-KEY': key,
            ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
          },
        },
        (response) => {
          const { statusCode: status = 0, headers } = response
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => {
            resolve({ status, ms: performance.now() - started, headers, text })
          })
        },
      )
      call.on('error', reject)
      call.end(bytes)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Answers of one kind of traffic, and how long they took. */
export class Seen {
  readonly statuses = new Map<number, number>()
  readonly faults: string[] = []
  #times: number[] = []

  get count(): number {
    return this.#times.length
  }

  of(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  add({ status, ms }: Reply): void {
    this.statuses.set(status, this.of(status) + 1)
    this.#times.push(ms)
  }

  /** Milliseconds within which so many of a hundred were answered. */
  percentile(percent: number): number {
    const sorted = this.#times.toSorted((a, b) => a - b)
    const at = Math.ceil((percent / 100) * sorted.length) - 1
    return Math.round(sorted[Math.max(0, at)] ?? 0)
  }
}

/** As many loops as there are connections, each sending one request after another until the end. */
export async function drive(
  client: Client,
  connections: number,
  random: Random,
  until: () => boolean,
  choose: (random: Random) => Call,
  check: (call: Call, reply: Reply) => string | undefined,
): Promise<Seen> {
  const seen = new Seen()
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const own = random.fork()
      // One after another: when more knock at once than the system has room for, it lets them wait for
      // seconds, and the service does not even know.
      await setTimeout(index)
      while (!until()) {
        const call = choose(own)
        try {
          const reply = await client.send(call)
          seen.add(reply)
          const fault = check(call, reply)
          if (fault) seen.faults.push(fault)
        } catch (error) {
          seen.faults.push(`${call.method} ${call.path}: ${error}`)
        }
      }
    }),
  )
  return seen
}

// Sends requests on many connections for some time, and records the responses.
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../src/random.ts'
import { type HttpAnswer, HttpClient, type HttpRequest } from '../test/http-client.ts'

export interface Reply extends HttpAnswer {
  ms: number
}

/** The statuses and times of responses. */
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

  /** This percentage of the responses took at most the returned milliseconds. */
  percentile(percent: number): number {
    const sorted = this.#times.toSorted((a, b) => a - b)
    const at = Math.ceil((percent / 100) * sorted.length) - 1
    return Math.round(sorted[Math.max(0, at)] ?? 0)
  }
}

interface Drive {
  url: string
  connections: number
  random: Random
  isOver(): boolean
  choose(random: Random): HttpRequest
  /** Returns what is wrong with the response. */
  check(request: HttpRequest, reply: Reply): string | undefined
}

/** One loop for each connection: it sends one request after another until the time is over. */
export async function drive({
  url,
  connections,
  random,
  isOver,
  choose,
  check,
}: Drive): Promise<Seen> {
  const http = new HttpClient({ connections })
  const seen = new Seen()
  const loop = async (own: Random, delayMs: number) => {
    // Open one connection after another. When too many come at once, the operating system delays
    // them for seconds before the service sees them.
    await setTimeout(delayMs)
    while (!isOver()) {
      const request = choose(own)
      const started = performance.now()
      try {
        const answer = await http.send(url, request)
        const reply = { ...answer, ms: performance.now() - started }
        seen.add(reply)
        const fault = check(request, reply)
        if (fault) seen.faults.push(fault)
      } catch (error) {
        seen.faults.push(`${request.method} ${request.path}: ${error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, at) => loop(random.fork(), at)))
  http.close()
  return seen
}

// The load: a process of its own, so that what it costs does not slow what is measured from within.
// It reads one order on its standard input and prints what it saw.
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'

export interface Order {
  url: string
  path: string
  key: string
  connections: number
  seconds: number
  /** Sent in turn. `#` in a body becomes a number that has not been there before. */
  bodies: string[]
}

export interface Seen {
  /** Answers a second. */
  rate: number
  /** Requests that failed or were refused. */
  failed: number
}

const order: Order = JSON.parse(await text(process.stdin))
let count = Date.now() * 1000
const result = await autocannon({
  url: order.url,
  connections: order.connections,
  duration: order.seconds,
  timeout: 60,
  requests: order.bodies.map((body) => ({
    method: 'POST',
    path: order.path,
    headers: { 'content-type': 'application/json', 'x-api-key': order.key },
    body,
    ...(body.includes('#') && {
      setupRequest: (request) => ({ ...request, body: body.replaceAll('#', String(count++)) }),
    }),
  })),
})
const seen: Seen = {
  rate: result.requests.total / result.duration,
  failed: result.errors + result.timeouts + result.non2xx,
}
console.log(JSON.stringify(seen))

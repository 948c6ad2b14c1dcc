// The load generator. It is a separate process, so that its work does not disturb the measuring one.
// Reads an order from standard input and prints the result.
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'

export interface Order {
  url: string
  path: string
  key: string
  connections: number
  seconds: number
  /** Sent in turns. `#` in a body is replaced by a new number each time. */
  bodies: string[]
  /** With an Idempotency-Key, another one each time. */
  isRepeatable?: boolean
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
      setupRequest: (request) => {
        const number = String(count++)
        const key = order.isRepeatable && { 'idempotency-key': number }
        const headers = { ...request.headers, ...key }
        return { ...request, headers, body: body.replaceAll('#', number) }
      },
    }),
  })),
})
const seen: Seen = {
  rate: result.requests.total / result.duration,
  failed: result.errors + result.timeouts + result.non2xx,
}
console.log(JSON.stringify(seen))

// A receiver of webhooks: a server that notes every request and answers what the test says.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely and check what they find
  event: any
}

export interface Receiver {
  url: string
  received: Received[]
  connections: number
  /** Answers a request. The default answers 200. */
  answer: (request: Received, response: ServerResponse) => void
  /** The numbers of the events that have arrived at a path, in their order. */
  seqs(path?: string): number[]
  close(): void
}

/** It keeps no process from ending. */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const self: Receiver = {
    url: '',
    received: [],
    connections: 0,
    answer: (_request, response) => void response.end('ok'),
    seqs: (path) =>
      self.received
        .filter((request) => path === undefined || request.path === path)
        .map(({ event }) => event.seq),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const received = {
      ...{ path: request.url ?? '', headers: request.headers, body },
      event: JSON.parse(body || '{}'),
    }
    self.received.push(received)
    self.answer(received, response)
  })
  server.on('connection', (socket) => {
    self.connections++
    socket.unref()
  })
  await once(server.listen(0, host), 'listening')
  const { port } = server.address() as AddressInfo
  self.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  server.unref()
  return self
}

// Clients who take their time: they read a long answer, or write a short body, a little at a time.
import { connect, type Socket } from 'node:net'

export interface SlowClients {
  /** What all of them have read so far. */
  readonly bytes: number
  /** How many the server has cut off. */
  readonly lost: number
  leave(): void
}

/** Each asks for every lead, and reads a few kilobytes a second. */
export function slowReaders(url: string, key: string, count: number): SlowClients {
  const body = JSON.stringify({ pagination: { all: true } })
  let bytes = 0
  return slowClients(
    url,
    count,
    (socket) => {
      socket.write(head(key, body.length) + body)
      // The kernel would take in megabytes for us: it is asked only now and then.
      socket.pause()
      return () => {
        bytes += socket.read(1_024)?.length ?? 0
      }
    },
    () => bytes,
  )
}

/** Each sends a body byte by byte, and never gets to its end. */
export function slowWriters(url: string, key: string, count: number): SlowClients {
  return slowClients(
    url,
    count,
    (socket) => {
      socket.write(`${head(key, 1_000_000)}{"search": "`)
      socket.resume()
      return () => socket.write('x')
    },
    () => 0,
  )
}

const head = (key: string, length: number) =>
  `POST /rest/leads/list HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

function slowClients(
  url: string,
  count: number,
  begin: (socket: Socket) => () => unknown,
  bytes: () => number,
): SlowClients {
  const { hostname, port } = new URL(url)
  let lost = 0
  let isOver = false
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname)
    let step: (() => unknown) | undefined
    const timer = setInterval(() => step?.(), 250)
    socket.on('connect', () => {
      step = begin(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      if (!isOver) lost++
    })
    return socket
  })
  return {
    get bytes() {
      return bytes()
    },
    get lost() {
      return lost
    },
    leave() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

// Slow clients: they read a long response, or write a body, a little at a time.
import type { Socket } from 'node:net'
import { headOf, json, openSocket, requestOf } from './raw.ts'
import { Breach } from './torture.ts'

export interface SlowClients {
  /** Resolves when all of them have started. */
  begun: Promise<void>
  /** How many the server has disconnected. */
  readonly lost: number
  leave(): void
}

/** Reads or writes a little. Returns what it read, at first the beginning of the response. */
type Step = () => string | undefined

/** Each requests all leads and reads a few kilobytes a second. */
export function slowReaders(url: string, key: string, count: number): SlowClients {
  const body = JSON.stringify({ pagination: { all: true } })
  return slowClients(url, count, (socket) => {
    socket.write(requestOf(key, '/leads/list', json, body))
    // Data that is not read fills the buffers of the operating system, and then those of the server.
    socket.pause()
    return () => socket.read(1_024)?.toString('latin1')
  })
}

/** Each sends a body byte by byte and never finishes it. */
export function slowWriters(url: string, key: string, count: number): SlowClients {
  return slowClients(url, count, (socket) => {
    socket.write(`${headOf(key, '/leads/list', json, 'Content-Length: 1000000')}{"search": "`)
    socket.resume()
    return () => {
      socket.write('x')
      // No response comes before the body is complete: the first byte counts as the start.
      return 'HTTP/1.1 200'
    }
  })
}

function slowClients(url: string, count: number, begin: (socket: Socket) => Step): SlowClients {
  let lost = 0
  let isOver = false
  const clients = Array.from({ length: count }, () => {
    const socket = openSocket(url)
    const begun = new Promise<void>((resolve, reject) => {
      let step: Step | undefined
      const timer = setInterval(() => {
        const text = step?.()
        if (text?.startsWith('HTTP/1.1 200')) resolve()
        else if (text?.startsWith('HTTP/1.1')) reject(new Breach(`A slow client got: ${text}`))
      }, 250)
      socket.on('connect', () => {
        step = begin(socket)
      })
      socket.on('close', () => {
        clearInterval(timer)
        if (!isOver) lost++
        reject(new Breach('A slow client got nothing'))
      })
    })
    return { socket, begun }
  })
  const begun = Promise.all(clients.map((client) => client.begun)).then(() => {})
  // It may reject before or after the time in which a caller awaits it.
  begun.catch(() => {})
  return {
    begun,
    get lost() {
      return lost
    },
    leave() {
      isOver = true
      for (const { socket } of clients) socket.destroy()
    },
  }
}

// Requests as bytes, for tests of what an HTTP client would not send.
import { connect, type Socket } from 'node:net'

/** Opens a connection and writes the bytes. */
export function writeRaw(url: string, bytes: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  return socket
}

/** Writes the bytes, and returns everything that comes back until the server closes the connection. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = writeRaw(url, bytes)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

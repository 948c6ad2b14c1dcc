// Requests as bytes over a socket, for what no HTTP client does: disconnect too early, read and write
// slowly, send malformed HTTP.
import { connect, type Socket } from 'node:net'

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Callers look at 'close' only: it follows every error.
  socket.on('error', () => {})
  return socket
}

export const json = 'Content-Type: application/json'

/** The head of a request. `headers` are whole lines. */
export function headOf(key: string, path: string, ...headers: string[]): string {
  const lines = [`POST /rest${path} HTTP/1.1`, 'Host: x', `X-API-KEY: ${key}`, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** A whole request. */
export function requestOf(key: string, path: string, type: string, body: string): string {
  return headOf(key, path, type, `Content-Length: ${Buffer.byteLength(body)}`) + body
}

// Clients that go away in the middle: of a head, a body, the work, an answer.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { apiKey } from './server.ts'

/** How many of them are there at a time. */
const crowd = 30
const rows = 2_500

type Kind = (url: URL, random: Random) => { text: string; goes: 'when sent' | 'when answered' }

const head = (url: URL, path: string, more: string) =>
  `POST /rest${path} HTTP/1.1\r\nHost: ${url.host}\r\nX-API-KEY: ${apiKey}\r\n${more}\r\n`

const json = (url: URL, path: string, body: unknown) => {
  const text = JSON.stringify(body)
  const more = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
  return head(url, path, more) + text
}

const part = (text: string, random: Random) => text.slice(0, random.between(1, text.length - 1))

const everything = { pagination: { all: true } }

const kinds: Kind[] = [
  (url, random) => ({ text: part(json(url, '/lead', {}), random), goes: 'when sent' }),
  (url) => ({ text: json(url, '/lead', { email: `gone-${newId()}@x.org` }), goes: 'when sent' }),
  (url) => ({
    text: json(url, '/leads/track-leads', { filter: { has_list: true } }),
    goes: 'when sent',
  }),
  (url) => ({ text: json(url, '/leads/list', everything), goes: 'when sent' }),
  (url) => ({ text: json(url, '/leads/list', everything), goes: 'when answered' }),
  (url) => ({ text: json(url, '/leads/export', {}), goes: 'when answered' }),
  (url) => ({ text: importOf(url), goes: 'when sent' }),
  (url, random) => ({ text: part(importOf(url), random), goes: 'when sent' }),
]

/** Leads are rejected for what they are called: an import that leaves nothing behind. */
function importOf(url: URL): string {
  const text = `id\n${Array.from({ length: rows }, () => 'none\n').join('')}`
  return `${head(url, '/leads/import', `Content-Type: text/csv\r\nContent-Length: ${text.length}\r\n`)}${text}`
}

export async function storm(server: string, count: number, random: Random): Promise<void> {
  const url = new URL(server)
  let left = count
  const client = async () => {
    while (left-- > 0) await goAway(url, random.pick(kinds)(url, random), random.between(0, 30))
  }
  await Promise.all(Array.from({ length: crowd }, client))
}

async function goAway(url: URL, { text, goes }: ReturnType<Kind>, afterMs: number): Promise<void> {
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  // What becomes of it is the server's affair.
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  if (goes === 'when answered') await answered(socket)
  await sleep(afterMs)
  socket.destroy()
}

/** Reads the beginning and leaves the rest where it is. */
function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', () => {
      socket.pause()
      resolve()
    })
    socket.once('close', () => resolve())
  })
}

// Clients that disconnect too early: within a head or a body, during the work, or during a response.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { json, openSocket, requestOf } from './raw.ts'
import { apiKey } from './server.ts'

/** Concurrent clients. */
const crowd = 30
const rows = 2_500

type Kind = (random: Random) => { text: string; goes: 'when sent' | 'when answered' }

const post = (path: string, body: unknown) => requestOf(apiKey, path, json, JSON.stringify(body))

const part = (text: string, random: Random) => text.slice(0, random.between(1, text.length - 1))

const everything = { pagination: { all: true } }

/** Every row is rejected for its id, so that the import leaves no leads behind. */
const importRequest = requestOf(
  apiKey,
  '/leads/import',
  'Content-Type: text/csv',
  `id\n${'none\n'.repeat(rows)}`,
)

const kinds: Kind[] = [
  (random) => ({ text: part(post('/lead', {}), random), goes: 'when sent' }),
  () => ({ text: post('/lead', { email: `gone-${newId()}@x.org` }), goes: 'when sent' }),
  () => ({ text: post('/leads/track-leads', { filter: { has_list: true } }), goes: 'when sent' }),
  () => ({ text: post('/leads/list', everything), goes: 'when sent' }),
  () => ({ text: post('/leads/list', everything), goes: 'when answered' }),
  () => ({ text: post('/leads/export', {}), goes: 'when answered' }),
  () => ({ text: importRequest, goes: 'when sent' }),
  (random) => ({ text: part(importRequest, random), goes: 'when sent' }),
]

export async function storm(url: string, count: number, random: Random): Promise<void> {
  let left = count
  const client = async () => {
    while (left-- > 0) await goAway(url, random.pick(kinds)(random), random.between(0, 30))
  }
  await Promise.all(Array.from({ length: crowd }, client))
}

async function goAway(
  url: string,
  { text, goes }: ReturnType<Kind>,
  afterMs: number,
): Promise<void> {
  const socket = openSocket(url)
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  if (goes === 'when answered') await answered(socket)
  await sleep(afterMs)
  socket.destroy()
}

/** Waits for the first bytes of the response and does not read the rest. */
function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', () => {
      socket.pause()
      resolve()
    })
    socket.once('close', () => resolve())
  })
}

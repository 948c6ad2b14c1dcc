// kill -9 under webhooks: each event arrives at least once, first attempts in the order of the feed.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Receiver, startReceiver } from '../test/receiver.ts'
import type { Client } from './client.ts'
import { type Sending, sendUnderKills } from './deliveries.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { until } from './until.ts'

export const webhooks: Torture = {
  name: 'webhooks',
  summary: 'kills server and PostgreSQL while they send events to receivers, some of which fail',
  run,
}

/** Of the receivers. The second one sometimes refuses an event, and takes it at the next attempt. */
const paths = ['/steady', '/moody', '/filtered']

async function run(size: Size, context: Context): Promise<Figures> {
  const random = context.random.fork()
  const receiver = await startReceiver()
  const refused = new Set<number>()
  let longestMs = 40
  receiver.answer = async ({ path, event }, response) => {
    await sleep(random.between(0, longestMs))
    const isRefused = path === '/moody' && !refused.has(event.seq) && random.chance(0.01)
    if (isRefused) refused.add(event.seq)
    if (isRefused && random.chance(0.5)) response.destroy()
    else response.writeHead(isRefused ? 500 : 200).end()
  }
  const created = new Set<string>()
  const sending: Sending = {
    env: { WEBHOOK_ALLOW: '127.0.0.1' },
    async prepare(client) {
      for (const path of paths) {
        const filter = path === '/filtered' ? { filter: { is_tracked: false } } : {}
        const body = { url: receiver.url + path, types: ['lead.created'], ...filter }
        await client.send({ method: 'POST', path: '/webhooks', body })
      }
    },
    async write(client) {
      const lead = await client.send({ method: 'POST', path: '/lead', body: { city: 'Rome' } })
      if (lead) created.add(lead.id)
    },
    begun: () => receiver.received.length,
    async check(client) {
      longestMs = 0
      await allSent(client, receiver)
      const seqs = await feedOf(client, created)
      const again = paths.map((path) => expectInOrder(receiver, path, seqs))
      return {
        'leads created': created.size,
        'their events, at each of 3 receivers': seqs.length,
        'refused once': refused.size,
        'sent again, with the same id': again.reduce((sum, count) => sum + count, 0),
      }
    },
  }
  try {
    return await sendUnderKills(sending, size, context)
  } finally {
    receiver.close()
  }
}

/** However much is left, as long as it continues. What was refused is tried at once, and not in half a minute. */
async function allSent(client: Client, { received }: Receiver): Promise<void> {
  const isSent = async () => {
    const hooks = await client.send({ method: 'GET', path: '/webhooks' })
    for (const { id, state } of hooks ?? []) {
      if (state === 'active') continue
      await client.send({ method: 'PATCH', path: `/webhooks/${id}`, body: { paused: false } })
    }
    return hooks?.every(
      ({ behind, retrying }: Record<string, number>) => behind === 0 && retrying === 0,
    )
  }
  while (!(await isSent())) {
    const { length } = received
    await until('more events are sent', 60, async () => received.length > length || isSent())
  }
}

/** The numbers of all events that had to be sent. */
async function feedOf(client: Client, created: Set<string>): Promise<number[]> {
  const seqs: number[] = []
  const missing = new Set(created)
  for (let after = 'start'; ; ) {
    const path = `/events?types=lead.created&limit=1000&after=${after}`
    const page = await client.send({ method: 'GET', path })
    if (!page) throw new Breach('The feed cannot be read, although nothing was killed')
    for (const { seq, ids } of page.events) {
      seqs.push(seq)
      missing.delete(ids[0])
    }
    after = page.next
    if (page.events.length === 0) break
  }
  if (missing.size > 0) throw new Breach(`${missing.size} answered writes have no event`)
  return seqs
}

/** Returns how many requests came again. */
function expectInOrder(receiver: Receiver, path: string, seqs: number[]): number {
  const ids = new Map<number, unknown>()
  for (const { event, headers } of receiver.received.filter((request) => request.path === path)) {
    const id = headers['webhook-id']
    if (ids.has(event.seq) && ids.get(event.seq) !== id) {
      throw new Breach(`${path} got event ${event.seq} with two ids`)
    }
    ids.set(event.seq, id)
  }
  const first = [...ids.keys()]
  if (new Set(ids.values()).size !== first.length) throw new Breach(`${path} got an id twice`)
  const wrong = seqs.findIndex((seq, at) => first[at] !== seq)
  if (wrong >= 0 || first.length !== seqs.length) {
    throw new Breach(`${path} got event ${first[wrong]} first where event ${seqs[wrong]} was next`)
  }
  return receiver.seqs(path).length - first.length
}

// What a receiver that never answers costs the others: from the response of a write until its event has arrived at 200
// receivers of the same workspace, in rounds with and without one more that accepts connections and says nothing.
import type { ServerResponse } from 'node:http'
import { restRequest } from '../test/http-client.ts'
import { program } from '../test/program.ts'
import { type Receiver, startReceiver } from '../test/receiver.ts'
import { type BenchData, makeData } from './data.ts'
import { duration, type Line, median, percentile } from './figures.ts'
import { type Running, startService } from './processes.ts'

const most = 1.05
const receivers = 200
const warmUpWrites = 20
const leads = 3_000
const others = 100

export interface WebhooksPlan {
  folder: string
  rounds: number
  /** Longer than an attempt, which fails after 15. */
  seconds: number
}

export async function compareWebhooks(
  { folder, rounds, seconds }: WebhooksPlan,
  say: (line: string) => void,
): Promise<Line[]> {
  const data = await makeData({ folder, databaseUrl: undefined }, leads, others, say)
  const receiver = await startReceiver()
  const service = await startService(data, program, { WEBHOOK_ALLOW: '127.0.0.1' })
  try {
    const { write, setDead } = await subscribe(service, data, receiver)
    for (let count = 0; count < warmUpWrites; count++) await write()
    const seen = { without: [] as number[][], with: [] as number[][] }
    for (let round = 0; round < rounds; round++) {
      const order = ['without', 'with'] as const
      for (const way of round % 2 === 0 ? order : order.toReversed()) {
        await setDead(way === 'with')
        const writes: number[][] = []
        const end = performance.now() + seconds * 1000
        while (performance.now() < end) writes.push(await write())
        seen[way].push(...writes)
        say(`round ${round + 1}, ${way} it: ${said(writes)}`)
      }
    }
    const line = (operation: string, figure: (writes: number[][]) => number): Line => {
      const ratio = figure(seen.with) / figure(seen.without)
      return {
        ...{ operation, measured: ratio.toFixed(2), isReached: ratio <= most },
        target: `at most ${most} of without it`,
        detail: `with it: ${said(seen.with)}; without: ${said(seen.without)}`,
      }
    }
    const beside = `${receivers} receivers beside one that never answers`
    return [
      line(`an event is at ${beside}, 99 % of all`, overall),
      line(`an event is at 99 % of ${beside}, median`, usual),
    ]
  } finally {
    receiver.close()
    await service.stop()
  }
}

async function subscribe(service: Running, { key }: BenchData, receiver: Receiver) {
  const send = async (method: string, path: string, body: object) =>
    JSON.parse((await service.send(restRequest(key, method, path, body))).text)
  const subscribeAt = (path: string) =>
    send('POST', '/webhooks', { url: receiver.url + path, types: ['tag.created'] })
  const dead = await subscribeAt('/dead')
  for (let at = 0; at < receivers; at++) await subscribeAt(`/${at}`)

  /** When each receiver got the event of the tag. They may get it before the write is answered. */
  const arrived = new Map<string, number[]>()
  let held: ServerResponse[] = []
  let onArrival: () => void = () => {}
  receiver.answer = ({ path, event }, response) => {
    if (path === '/dead') return void held.push(response)
    response.end()
    const [id] = event.ids
    const times = arrived.get(id) ?? []
    arrived.set(id, [...times, performance.now()])
    onArrival()
  }
  return {
    /** Returns the time until each receiver had it. */
    async write(): Promise<number[]> {
      const { id } = await send('POST', '/tags', { name: 'Arrives' })
      const answered = performance.now()
      await new Promise<void>((resolve) => {
        onArrival = () => arrived.get(id)?.length === receivers && resolve()
        onArrival()
      })
      const times = arrived.get(id) ?? []
      arrived.clear()
      receiver.received.length = 0
      return times.map((time) => Math.max(0, time - answered))
    },
    async setDead(isOn: boolean): Promise<void> {
      await send('PATCH', `/webhooks/${dead.id}`, { paused: !isOn })
      // Otherwise the attempt would go on in the next round.
      if (!isOn) for (const response of held) response.destroy()
      held = []
    },
  }
}

const slowest = (times: number[]) => percentile(times, 0.99)
/** Of all arrivals. Pauses of the machine count too. */
const overall = (writes: number[][]) => slowest(writes.flat())
/** Of an event in the middle. */
const usual = (writes: number[][]) => median(writes.map(slowest))

const said = (writes: number[][]) =>
  `99 % of ${writes.length} events within ${duration(overall(writes))}, median ${duration(usual(writes))}`

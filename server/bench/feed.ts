// Measures how soon a change can be read in the change feed, and what an Idempotency-Key costs.
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '../test/event-stream.ts'
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { duration, type Line, median, percentile, short } from './figures.ts'
import type { Effort } from './http.ts'
import { load, type Running } from './processes.ts'

const medianMs = 300
const slowestMs = 1_500
const keyTarget = 0.85
const connections = 16

/** New leads, as in the operation "create a lead" but without relations. */
const bodies = ['{"first_name":"Ada","email":"ada.key#@example.com","company":""}']

/** From the response of a write until its event has arrived, while others write as fast as they can. */
export async function feedLines(
  service: Running,
  { key }: BenchData,
  { rounds, seconds }: Effort,
): Promise<Line[]> {
  const path = '/rest/lead'
  const duringMs = rounds * seconds * 1000
  const stream = await openStream(service.url, key, '?types=tag.*')
  const busy = load({ url: service.url, path, key, connections, seconds: duringMs / 1000, bodies })
  const times: number[] = []
  const end = performance.now() + duringMs
  while (performance.now() < end) {
    const { text } = await service.send(restRequest(key, 'POST', '/tags', { name: 'Latency' }))
    const answered = performance.now()
    const { id } = JSON.parse(text)
    for (;;) if ((await stream.nextEvent()).event.ids.includes(id)) break
    times.push(performance.now() - answered)
    await sleep(20)
  }
  stream.close()
  const { rate } = await busy
  const detail = `${times.length} changes, beside ${short(rate)} new leads a second`
  const line = (operation: string, ms: number, most: number) => ({
    operation,
    target: `at most ${duration(most)}`,
    measured: duration(ms),
    detail,
    isReached: ms <= most,
  })
  return [
    line('a change is in the feed, median', median(times), medianMs),
    line('a change is in the feed, 99 %', percentile(times, 0.99), slowestMs),
  ]
}

/** The rate of POST /lead with an Idempotency-Key, compared with the same without. */
export async function keyLine(
  { url }: Running,
  { key }: BenchData,
  { rounds, seconds, warmUp }: Effort,
): Promise<Line> {
  const rate = async (seconds: number, isRepeatable: boolean) =>
    (await load({ url, path: '/rest/lead', key, connections, seconds, bodies, isRepeatable })).rate
  await rate(warmUp, true)
  const seen: { plain: number; repeatable: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0
    const rates = [await rate(seconds, first), await rate(seconds, !first)]
    const [repeatable = 0, plain = 0] = first ? rates : rates.reverse()
    seen.push({ plain, repeatable })
  }
  const ratio = median(seen.map(({ plain, repeatable }) => repeatable / plain))
  const plain = median(seen.map((each) => each.plain))
  return {
    operation: 'create a lead with an Idempotency-Key',
    target: `at least ${keyTarget.toFixed(2)} of the same without`,
    measured: ratio.toFixed(2),
    detail: `${short(plain * ratio)} of ${short(plain)} requests a second`,
    isReached: ratio >= keyTarget,
  }
}

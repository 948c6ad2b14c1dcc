// Requests a second of the service beside those of the ceiling, and how long one takes by itself.
import type { Pool } from '../src/db/driver.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import { load, type Running } from './processes.ts'
import type { Operation } from './requests.ts'

export interface Effort {
  rounds: number
  /** Of load, each time. */
  seconds: number
  /** Seconds of load before, until what is run often is compiled. */
  warmUp: number
}

/** Enough to keep both cores busy. */
const connections = 16

export interface Compared {
  /** Requests a second. */
  service: number
  ceiling: number
  ratio: number
}

/** Turn by turn, so that whatever else the machine does meets both. */
export async function compare(
  db: Pool,
  data: BenchData,
  { path, bodies }: Operation,
  service: Running,
  ceiling: Running,
  { rounds, seconds, warmUp }: Effort,
): Promise<Compared> {
  const texts = (await bodies(db, data)).map((body) => JSON.stringify(body))
  const send = async ({ url }: Running, seconds: number) =>
    (await load({ url, path, key: data.key, connections, seconds, bodies: texts })).rate
  await send(service, warmUp)
  await send(ceiling, warmUp)
  const seen: Compared[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? service : ceiling
    const rates = [
      await send(first, seconds),
      await send(first === service ? ceiling : service, seconds),
    ]
    const [ours = 0, theirs = 0] = first === service ? rates : rates.reverse()
    seen.push({ service: ours, ceiling: theirs, ratio: ours / theirs })
  }
  return {
    service: median(seen.map((each) => each.service)),
    ceiling: median(seen.map((each) => each.ceiling)),
    ratio: median(seen.map((each) => each.ratio)),
  }
}

/** Milliseconds that a request takes when nobody else asks. */
export async function latency(
  db: Pool,
  data: BenchData,
  { path, bodies }: Operation,
  { url }: Running,
  { rounds, seconds, warmUp }: Effort,
): Promise<number> {
  const texts = (await bodies(db, data)).map((body) => JSON.stringify(body))
  const order = { url, path, key: data.key, connections: 1, bodies: texts }
  await load({ ...order, seconds: warmUp })
  const seen: number[] = []
  for (let round = 0; round < rounds; round++) {
    seen.push(1000 / (await load({ ...order, seconds })).rate)
  }
  return median(seen)
}

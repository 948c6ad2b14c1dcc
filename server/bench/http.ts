// Compares the requests a second of service and ceiling, and measures the latency of one request.
import type { Pool } from '../src/db/driver.ts'
import { cpuOfServer } from './cpu.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import { load, type Running } from './processes.ts'
import type { Operation } from './requests.ts'

export interface Effort {
  rounds: number
  /** Duration of the load in each round. */
  seconds: number
  /** Seconds of load before the first round, until V8 has compiled the hot code. */
  warmUp: number
}

/** Enough to keep both cores busy. */
const connections = 16

export interface Compared {
  /** Requests a second. */
  service: number
  ceiling: number
  ratio: number
  /** Milliseconds that a request to the service takes PostgreSQL on a core. NaN where the system does not tell. */
  postgresMs: number
}

/** In turns, so that other work of the machine affects both. */
export async function compare(
  db: Pool,
  data: BenchData,
  { path, bodies }: Operation,
  service: Running,
  ceiling: Running,
  { rounds, seconds, warmUp }: Effort,
): Promise<Compared> {
  const texts = (await bodies(db, data)).map((body) => JSON.stringify(body))
  const send = async ({ url }: Running, seconds: number) => {
    const before = await cpuOfServer(db)
    const { rate } = await load({ url, path, key: data.key, connections, seconds, bodies: texts })
    return { rate, postgresMs: ((await cpuOfServer(db)) - before) / (rate * seconds) }
  }
  await send(service, warmUp)
  await send(ceiling, warmUp)
  const seen: Compared[] = []
  for (let round = 0; round < rounds; round++) {
    const isFirst = round % 2 === 0
    const first = await send(isFirst ? service : ceiling, seconds)
    const second = await send(isFirst ? ceiling : service, seconds)
    const [ours, theirs] = isFirst ? [first, second] : [second, first]
    const { postgresMs } = ours
    seen.push({
      service: ours.rate,
      ceiling: theirs.rate,
      ratio: ours.rate / theirs.rate,
      postgresMs,
    })
  }
  return {
    postgresMs: median(seen.map((each) => each.postgresMs)),
    service: median(seen.map((each) => each.service)),
    ceiling: median(seen.map((each) => each.ceiling)),
    ratio: median(seen.map((each) => each.ratio)),
  }
}

/** The requests a second of one of them. */
export async function rate(
  db: Pool,
  data: BenchData,
  { path, bodies }: Operation,
  { url }: Running,
  { rounds, seconds, warmUp }: Effort,
  clients = connections,
): Promise<number> {
  const texts = (await bodies(db, data)).map((body) => JSON.stringify(body))
  const order = { url, path, key: data.key, connections: clients, bodies: texts }
  await load({ ...order, seconds: warmUp })
  const seen: number[] = []
  for (let round = 0; round < rounds; round++) seen.push((await load({ ...order, seconds })).rate)
  return median(seen)
}

/** The milliseconds of a request without concurrent requests. */
export async function latency(
  db: Pool,
  data: BenchData,
  operation: Operation,
  service: Running,
  effort: Effort,
): Promise<number> {
  return 1000 / (await rate(db, data, operation, service, effort, 1))
}

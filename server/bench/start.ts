// Measures the time from a start on existing data to the first response, and the memory when idle.
import { setTimeout as sleep } from 'node:timers/promises'
import { restRequest } from '../test/http-client.ts'
import { memoryOf } from '../test/memory.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import { startService } from './processes.ts'

export interface Started {
  /** From the start of the program to the first response, including the start of PostgreSQL. */
  ms: number
  /** Memory of the Node process ten seconds after that, in megabytes. */
  idleMb: number
}

export async function measureStart(data: BenchData, rounds: number): Promise<Started> {
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const service = await startService(data)
    await service.send(restRequest(data.key, 'GET', '/me'))
    times.push(performance.now() - started)
    await sleep(10_000)
    sizes.push((await memoryOf(service.pid))?.now ?? Number.NaN)
    await service.stop()
  }
  return { ms: median(times), idleMb: median(sizes) }
}

// Compares `all: true` over HTTP with COPY of the same JSON, and measures its memory.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../src/db/driver.ts'
import { restRequest } from '../test/http-client.ts'
import { memoryOf } from '../test/memory.ts'
import { copyStatement } from './ceiling.sql.ts'
import type { BenchData } from './data.ts'
import type { Running } from './processes.ts'

export interface Streamed {
  ms: number
  bytes: number
}

export async function readAll(service: Running, { key }: BenchData): Promise<Streamed> {
  const started = performance.now()
  const everything = { pagination: { all: true } }
  const answer = await service.open(restRequest(key, 'POST', '/leads/list', everything))
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return { ms: performance.now() - started, bytes }
}

export async function copyAll(db: Pool, { workspace }: BenchData): Promise<Streamed> {
  const started = performance.now()
  let bytes = 0
  const rows = await db.unsafe(copyStatement(workspace.id_space)).readable()
  for await (const chunk of rows) bytes += chunk.length
  return { ms: performance.now() - started, bytes }
}

/** By how many megabytes the service grew at most while it worked. */
export async function growthDuring<T>(
  { pid }: Running,
  work: () => Promise<T>,
): Promise<{ result: T; grown: number }> {
  const memory = async () => (await memoryOf(pid))?.now ?? Number.NaN
  const before = await memory()
  let most = before
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      most = Math.max(most, await memory())
      await sleep(100)
    }
  })()
  try {
    return { result: await work(), grown: most - before }
  } finally {
    isDone = true
    await watch
  }
}

// Everything at once: `all: true` over HTTP beside COPY of the same JSON, and the memory it takes.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../src/db/driver.ts'
import { copyStatement } from './ceiling.sql.ts'
import type { BenchData } from './data.ts'
import { memory, type Running } from './processes.ts'

export interface Streamed {
  ms: number
  bytes: number
}

export function readAll({ url }: Running, { key }: BenchData): Promise<Streamed> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/rest/leads/list`,
      { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-API-KEY': key } },
      (answer) => {
        let bytes = 0
        answer.on('data', (chunk) => {
          bytes += chunk.length
        })
        answer.on('error', reject)
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve({ ms: performance.now() - started, bytes })
          else reject(new Error(`all: true was answered ${answer.statusCode}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ pagination: { all: true } }))
  })
}

export async function copyAll(db: Pool, { workspace }: BenchData): Promise<Streamed> {
  const started = performance.now()
  let bytes = 0
  const rows = await db.unsafe(copyStatement(workspace.id_space)).readable()
  for await (const chunk of rows) bytes += chunk.length
  return { ms: performance.now() - started, bytes }
}

/** By how many MB the service is larger at most while it works than before. */
export async function growthDuring<T>(
  { pid }: Running,
  work: () => Promise<T>,
): Promise<{ result: T; grown: number }> {
  const before = await memory(pid)
  let most = before
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      most = Math.max(most, await memory(pid))
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

// The server's connections to its database: all of them work, and none is left busy.
import type { Pool } from '../src/db/connect.ts'
import type { Client } from './client.ts'
import { inspect, serverSessions } from './inspect.ts'
import { Breach } from './torture.ts'
import { until } from './until.ts'

/**
 * All connections of the server's pool can be used at the same time, and none has anything under way
 * when nobody asks for anything.
 */
export async function checkPool(client: Client, dataDir: string, size: number): Promise<void> {
  await inspect(dataDir, async (db) => {
    await until('all connections of the pool are idle', 20, async () =>
      (await serverSessions(db)).every(({ state }) => state === 'idle'),
    )
    // The driver may put requests behind others that wait though a connection has become free, until
    // no more are let through to it. With the next try they are spread anew; a lost one stays lost.
    for (let tries = 3; ; tries--) {
      try {
        return await useAllAtOnce(client, db, size)
      } catch (error) {
        if (tries === 1 || !(error instanceof Breach)) throw error
      }
    }
  })
}

async function useAllAtOnce(client: Client, db: Pool, size: number): Promise<void> {
  const asked: Promise<unknown>[] = []
  try {
    await db.begin(async (tx) => {
      await tx`lock table tag in access exclusive mode`
      await until(`all ${size} connections of the pool work`, 8, async () => {
        const answer = client.send({ method: 'GET', path: '/tags' })
        answer.catch(() => {})
        asked.push(answer)
        const [row] = await tx<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
          where relation = 'tag'::regclass and not granted and application_name = 'rapport'`
        return row?.waiting === size
      })
    })
    await Promise.all(asked)
  } finally {
    await Promise.allSettled(asked)
  }
}

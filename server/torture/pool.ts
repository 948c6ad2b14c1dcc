// Checks the server's connection pool: every connection works, and none is stuck.

import type { Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import { slotsOfKey } from '../src/http/overload.ts'
import type { Client } from './client.ts'
import type { Home } from './home.ts'
import { serverSessions } from './inspect.ts'
import { Breach } from './torture.ts'
import { until } from './until.ts'

/**
 * All connections of the server's pool become idle without requests, and as many can be used at the same time as
 * one key may use: the others are for other keys and workspaces, so no single client can hold them all.
 */
export async function checkPool(
  client: Client,
  inspect: Home['inspect'],
  size: number,
): Promise<void> {
  await inspect(async (db) => {
    await until('all connections of the pool are idle', 20, async () =>
      (await serverSessions(db)).every(({ state }) => state === 'idle'),
    )
    // The driver may queue requests behind a waiting one although another connection is free. Then
    // not all connections are used. A new try distributes the requests anew, but a lost connection
    // stays lost.
    for (let tries = 3; ; tries--) {
      try {
        return await useAllAtOnce(client, db, slotsOfKey(size))
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
      await run(tx)`lock table tag in access exclusive mode`
      await until(`the ${size} connections that one key may use at a time work`, 8, async () => {
        const answer = client.send({ method: 'GET', path: '/tags' })
        answer.catch(() => {})
        asked.push(answer)
        const [row] = await run<{ waiting: number }[]>(tx)`
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

// Faults of the database. The service must recover from them without a restart.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../src/db/driver.ts'
import { raw, run } from '../src/db/sql.ts'
import type { Random } from '../src/random.ts'
import { inspect, serverSessions } from './inspect.ts'
import type { Server } from './server.ts'
import { until } from './until.ts'

export interface DatabaseFault {
  name: string
  /** Returns when the fault is over. The service may still be recovering. */
  strike(server: Server, heldMs: number, random: Random): Promise<void>
}

export const databaseFaults: DatabaseFault[] = [
  {
    name: 'restarts of PostgreSQL',
    async strike(server) {
      const pid = await server.postgresPid()
      process.kill(pid, 'SIGINT')
      await until('PostgreSQL is started again', 30, async () => {
        return (await server.postgresPid().catch(() => pid)) !== pid
      })
    },
  },
  {
    name: 'times that all connections were cut',
    async strike(server) {
      await inspect(server.dataDir, cutConnections)
    },
  },
  {
    name: 'times that a table was locked',
    async strike(server, heldMs, random) {
      await inspect(server.dataDir, (db) =>
        db.begin(async (tx) => {
          await run(tx)`lock table ${raw(random.pick(['lead', 'lead_tag', 'reminder', 'list']))}
            in access exclusive mode`
          await sleep(heldMs)
        }),
      )
    },
  },
  {
    name: 'times that all connections were frozen',
    async strike(server, heldMs) {
      const sessions = await inspect(server.dataDir, serverSessions)
      await freeze(
        sessions.map(({ pid }) => pid),
        heldMs,
      )
    },
  },
  {
    name: 'times that new connections were not accepted',
    async strike(server, heldMs) {
      const postmaster = await server.postgresPid()
      await inspect(server.dataDir, (db) => freeze([postmaster], heldMs, () => cutConnections(db)))
    },
  },
]

/** All but our own, also the one by which the server notices that PostgreSQL is alive. */
async function cutConnections(db: Pool): Promise<void> {
  await run(db)`
    select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
}

async function freeze(
  pids: number[],
  ms: number,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await meanwhile()
    await sleep(ms)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

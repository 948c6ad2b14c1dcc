// kill -9 again and again: every answered write is kept, and no write is there in part.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run as query, sql } from '../src/db/sql.ts'
import { Client } from './client.ts'
import { boxHome, clusterHome } from './home.ts'
import { postgresProcesses, serverSessions } from './inspect.ts'
import { compare } from './ledger.ts'
import { checkPool } from './pool.ts'
import type { Server } from './server.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { until } from './until.ts'
import { Writers } from './writers.ts'

export const crash: Torture = {
  name: 'crash',
  summary: 'kills the server and its PostgreSQL with kill -9 under concurrent writes',
  run,
}

const victims = ['server', 'postgres', 'both', 'backend', 'start'] as const
type Victim = (typeof victims)[number]

const poolSize = 6
/** On a cluster the first writes also wait until the crashed transactions are ended. */
const wellWithinSeconds = { box: 30, cluster: 60 }

async function run(size: Size, context: Context): Promise<Figures> {
  const { random, say, signal, isOnCluster } = context
  const rounds = context.kills ?? (size === 'long' ? 50 : 3)
  // Looking for every write after each kill would take most of a long run.
  const compareEvery = Math.ceil(rounds / 100)
  const home = isOnCluster ? await clusterHome(random.fork()) : await boxHome()
  const client = new Client()
  const writers = new Writers(client, random.fork(), size)
  const kills: Record<Victim, number> = { server: 0, postgres: 0, both: 0, backend: 0, start: 0 }
  let slowestMs = 0
  let server: Server | undefined
  const start = (spawned?: Parameters<typeof home.start>[1]) =>
    home.start({ DATABASE_POOL: String(poolSize) }, spawned)

  async function kill(running: Server, victim: Victim): Promise<void> {
    if (victim === 'postgres') return home.killPostgres(running)
    if (victim === 'backend') {
      const sessions = await home.inspect(serverSessions)
      for (const { pid } of sessions.slice(0, 1)) process.kill(pid, 'SIGKILL')
      return
    }
    client.down()
    await Promise.all([victim === 'both' && home.killPostgresToo(running), running.kill()])
    if (victim === 'start') await killWhileStarting()
    server = await start()
    client.up(server.url)
  }

  async function killWhileStarting(): Promise<void> {
    const afterMs = random.between(50, 1500)
    const started = await start((child) => {
      setTimeout(() => child.kill('SIGKILL'), afterMs)
    }).catch(() => undefined)
    // It had started before the signal came.
    await started?.kill()
  }

  try {
    server = await start()
    client.up(server.url)
    await writers.prepare()
    writers.start()
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      // Long enough for many writes, and a different moment each time.
      await sleep(random.between(100, size === 'long' ? 1500 : 500))
      const victim = victims[(round - 1) % victims.length] as Victim
      const began = performance.now()
      await kill(server, victim)
      kills[victim]++
      await writers.untilWell(wellWithinSeconds[isOnCluster ? 'cluster' : 'box'])
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - began))
      if (round % compareEvery === 0) await home.inspect((db) => compare(db, writers.ledger))
      if (round % 10 === 0) say(`${round} of ${rounds} kills, ${writers.ledger.writes} writes`)
    }
    await writers.stop()
    const { ledger } = writers
    await home.inspect((db) => compare(db, ledger))
    const reminders = [...ledger.reminders]
    await until('every answered reminder has fired once', 20, () =>
      home.inspect(async (db) => {
        const rows = await query<{ times: number; count: number }[]>(
          db,
          sql`
          select times, count(*)::int as count from (
            select count(due_at)::int as times from unnest(${reminders}::uuid[]) as wanted
            left join reminder_firing on id_space = ${ledger.space} and id_reminder = wanted
            group by wanted) counted group by times`,
        )
        if (rows.some(({ times }) => times > 1)) throw new Breach('A reminder has fired twice')
        return rows.every(({ times }) => times === 1)
      }),
    )
    await checkPool(client, home.inspect, poolSize)
    client.down()
    await stopCleanly(server)
    // The next start must work, and find all data.
    server = await start()
    const found = await home.inspect((db) => compare(db, ledger))
    await stopCleanly(server)
    return {
      'kills of the server': kills.server,
      'kills of PostgreSQL': kills.postgres,
      'kills of both at once': kills.both,
      'kills of a single PostgreSQL backend': kills.backend,
      'kills of a server during its start': kills.start,
      'writes answered': ledger.writes,
      'of them bulk operations': ledger.bulkAnswered,
      'writes refused with 503': client.counts.unavailable,
      'writes cut off': client.counts.cut,
      'records of answered writes that were found again': found,
      'slowest recovery (ms)': slowestMs,
    }
  } finally {
    await writers.stop().catch(() => {})
    client.close()
    await server?.kill()
    await home.remove()
  }
}

/** As Ctrl-C does. Afterwards no process and no lock file is left. */
async function stopCleanly(server: Server): Promise<void> {
  const status = await server.stop()
  if (status !== 0) throw new Breach(`A clean stop ended with ${status}:\n${server.output}`)
  const left = postgresProcesses(server.dataDir)
  if (left.length > 0) throw new Breach(`Processes ${left} are left after a clean stop`)
  for (const name of ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock']) {
    if (existsSync(join(server.dataDir, name))) throw new Breach(`${name} is left after a stop`)
  }
}

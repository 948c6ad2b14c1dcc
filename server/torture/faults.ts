// Everything around the service fails for a while. The service returns a clean 503, recovers by
// itself, loses nothing and leaks no connection.
import type { Pool } from '../src/db/driver.ts'
import { Client } from './client.ts'
import { jumpingClock } from './faults.clock.ts'
import { databaseFaults } from './faults.database.ts'
import { diskFull } from './faults.disk.ts'
import { twoServers } from './faults.servers.ts'
import { storm } from './faults.storm.ts'
import { inspect } from './inspect.ts'
import { compare } from './ledger.ts'
import { checkPool } from './pool.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { Writers } from './writers.ts'

export const faults: Torture = {
  name: 'faults',
  summary: 'restarts, cuts and freezes the database, fills the disk, makes the clock jump',
  run,
}

const poolSize = 5
const sizes = {
  short: { cycles: 1, heldMs: 400, jumps: 5, clients: 50, leads: 800 },
  long: { cycles: 5, heldMs: 2_500, jumps: 200, clients: 2_000, leads: 5_000 },
}

async function run(size: Size, { random, say, signal }: Context): Promise<Figures> {
  const { cycles, heldMs, jumps, clients, leads } = sizes[size]
  const dataDir = await makeDataDir()
  const client = new Client()
  const writers = new Writers(client, random.fork(), size)
  const figures: Record<string, number> = {}
  const count = (what: string, by = 1) => {
    figures[what] = (figures[what] ?? 0) + by
  }
  const start = () => startServer(dataDir, { DATABASE_POOL: String(poolSize) })
  let found = 0
  /** Checks that nothing is lost and that every connection of the pool works. */
  const check = async () => {
    await writers.stop()
    found = await inspect(dataDir, (db) => compare(db, writers.ledger))
    await checkPool(client, (use) => inspect(dataDir, use), poolSize)
    writers.start()
  }
  let server: Server | undefined
  try {
    server = await start()
    client.up(server.url)
    await writers.prepare()
    say('A clock that jumps')
    const jump = (db: Pool) => jumpingClock(client, db, jumps, random.fork())
    const fired = await inspect(dataDir, jump, 3)
    count('jumps of the clock', jumps)
    count('reminders that fired during the jumps, each once', fired)

    writers.start()
    await writers.untilWell()
    for (let cycle = 1; cycle <= cycles && !signal.aborted; cycle++) {
      say(`Faults of the database, ${cycle} of ${cycles}`)
      for (const { name, strike } of databaseFaults) {
        await strike(server, random.between(heldMs / 2, heldMs), random)
        await writers.untilWell()
        await check()
        count(name)
      }
      server = await twoServers(server, writers, start, random.fork(), size)
      await check()
      count('servers stopped or killed while another one ran', 2)
    }
    say('Clients that disconnect too early')
    await fillWorkspace(client, leads)
    await storm(server.url, clients, random.fork())
    await writers.untilWell()
    await check()
    count('requests that clients broke off', clients)

    await writers.stop()
    client.down()
    const status = await server.stop()
    if (status !== 0) throw new Breach(`A clean stop ended with ${status}:\n${server.output}`)
    say('A full disk')
    const disk = await diskFull(size, random.fork())
    return {
      ...figures,
      ...disk,
      'writes answered': writers.ledger.writes,
      'requests refused with 503': client.counts.unavailable,
      'records of answered writes that were found again': found,
      'slowest answer (ms)': client.slowestMs,
    }
  } finally {
    await writers.stop().catch(() => {})
    client.close()
    await server?.kill()
    await removeDataDir(dataDir)
  }
}

/** With enough leads that the list of all of them is larger than the buffers of a connection. */
async function fillWorkspace(client: Client, leads: number): Promise<void> {
  const lines = Array.from({ length: leads }, (_, index) => `${'Long name '.repeat(50)}${index}`)
  const body = `first_name\n${lines.join('\n')}\n`
  await client.send({ method: 'POST', path: '/leads/import', body, type: 'text/csv' })
}

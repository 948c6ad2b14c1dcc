// Two servers share one database, and one of them goes away.

import type { Random } from '../src/random.ts'
import { Client } from './client.ts'
import { inspect } from './inspect.ts'
import { compare } from './ledger.ts'
import type { Server } from './server.ts'
import { Breach, type Size } from './torture.ts'
import { until } from './until.ts'
import { Writers } from './writers.ts'

/**
 * `first` must be running, with its writers at work. Kills PostgreSQL under both servers. Then stops
 * the first server and kills the second: each time the other one must continue. Returns the server that
 * replaced the first.
 */
export async function twoServers(
  first: Server,
  firstWriters: Writers,
  start: () => Promise<Server>,
  random: Random,
  size: Size,
): Promise<Server> {
  const client = new Client()
  const writers = new Writers(client, random, size)
  let second: Server | undefined
  try {
    second = await start()
    client.up(second.url)
    await writers.prepare()
    writers.start()
    await writers.untilWell()
    const before = await first.postgresPid()
    process.kill(before, 'SIGKILL')
    const postmaster = await until('PostgreSQL is started again', 30, async () => {
      const pid = await first.postgresPid().catch(() => before)
      return pid !== before && pid
    })
    await Promise.all([writers.untilWell(), firstWriters.untilWell()])

    firstWriters.client.down()
    const status = await first.stop()
    if (status !== 0) throw new Breach(`A clean stop ended with ${status}:\n${first.output}`)
    await writers.untilWell()
    const again = await start()
    firstWriters.client.up(again.url)
    await firstWriters.untilWell()

    client.down()
    await second.kill()
    await firstWriters.untilWell()
    if ((await again.postgresPid()) !== postmaster) {
      throw new Breach('PostgreSQL was started again, although a server was using it')
    }
    await writers.stop()
    await inspect(again.dataDir, (db) => compare(db, writers.ledger))
    return again
  } finally {
    await writers.stop().catch(() => {})
    await second?.kill()
    client.close()
  }
}

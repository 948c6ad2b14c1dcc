// Kills the service and its PostgreSQL while it sends, and clients give it more and more to send.
import { setTimeout as sleep } from 'node:timers/promises'
import { run as query, sql } from '../src/db/sql.ts'
import { Client } from './client.ts'
import { boxHome, clusterHome, type Home } from './home.ts'
import type { Server } from './server.ts'
import { type Context, type Figures, type Size, together } from './torture.ts'
import { until } from './until.ts'

/** What is sent, and where to. */
export interface Sending {
  env: Record<string, string>
  /** Before the first kill. */
  prepare(client: Client, home: Home): Promise<void>
  /** Gives the service something to send. Called again and again, by several clients at once. */
  write(client: Client): Promise<void>
  /** How many deliveries have begun so far. */
  begun(): number
  /** Waits until nothing is left to send, and looks for breaches. */
  check(client: Client, home: Home): Promise<Figures>
}

const writers = 4
const pauseMs = 30
/** One kill of so many is that of PostgreSQL. */
const postgresEvery = 10

export async function sendUnderKills(
  sending: Sending,
  size: Size,
  { random, say, signal, isOnCluster, kills: wanted }: Context,
): Promise<Figures> {
  const rounds = wanted ?? (size === 'long' ? 50 : 2)
  const home = isOnCluster ? await clusterHome(random.fork()) : await boxHome()
  const client = new Client()
  const kills = { server: 0, postgres: 0 }
  let isOver = false
  let server: Server | undefined

  const start = async () => {
    server = await home.start(sending.env)
    client.up(server.url)
  }

  async function kill(round: number): Promise<void> {
    const running = server as Server
    if (round % postgresEvery === 0) {
      kills.postgres++
      return home.killPostgres(running)
    }
    kills.server++
    client.down()
    await running.kill()
    await endLeases(home)
    await start()
  }

  const killAgainAndAgain = async (goesOn: () => boolean) => {
    for (let round = 1; round <= rounds && goesOn(); round++) {
      const wanted = sending.begun() + random.between(1, 60)
      await until('more is sent', 90, () => !goesOn() || sending.begun() >= wanted)
      await sleep(random.between(0, 100))
      await kill(round)
      if (round % 10 === 0) say(`${round} of ${rounds} kills, ${sending.begun()} deliveries begun`)
    }
    isOver = true
  }

  const write = async (goesOn: () => boolean) => {
    while (!isOver && goesOn()) {
      await sending.write(client)
      await sleep(pauseMs)
    }
  }

  try {
    await start()
    await sending.prepare(client, home)
    await together([killAgainAndAgain, ...Array.from({ length: writers }, () => write)], signal)
    const figures = await sending.check(client, home)
    return {
      'kills of the server': kills.server,
      'kills of PostgreSQL': kills.postgres,
      ...figures,
    }
  } finally {
    client.close()
    await server?.kill()
    await home.remove()
  }
}

/** What time does: the workers have died with their process, and the next ones need not wait half a minute. */
async function endLeases(home: Home): Promise<void> {
  await home.inspect((db) =>
    query(
      db,
      sql`update delivery_queue set lease_until = now() - interval '1 second'
        where lease_until is not null`,
    ),
  )
}

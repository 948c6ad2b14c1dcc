// kill -9 again and again under writers and bulk operations: the change feed loses nothing, repeats
// nothing and keeps the order, and a consumer that follows it has a true copy.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { run as query, sql } from '../src/db/sql.ts'
import { Client } from './client.ts'
import { Consumer } from './feed.consumer.ts'
import { boxHome, clusterHome, type Home } from './home.ts'
import { compare, operation } from './ledger.ts'
import type { Server } from './server.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { until } from './until.ts'
import { Writers } from './writers.ts'

export const feed: Torture = {
  name: 'feed',
  summary: 'kills server, PostgreSQL and the consumer of the change feed under concurrent writes',
  run,
}

/** With the other lanes of the writers: 17. */
const groups = 7

async function run(size: Size, context: Context): Promise<Figures> {
  const { random, isOnCluster } = context
  const home = isOnCluster ? await clusterHome(random.fork()) : await boxHome()
  return followUnderKills(home, size === 'long' ? 50 : 3, size, context)
}

/** `atEnd` is called when the last kill is over, while the writers still write. Removes the home. */
export async function followUnderKills(
  home: Home,
  rounds: number,
  size: Size,
  { random, say, signal }: Context,
  atEnd: () => Promise<Figures> = async () => ({}),
): Promise<Figures> {
  const client = new Client()
  const writers = new Writers(client, random.fork(), size)
  const consumer = new Consumer(client, random.fork())
  const kills = { server: 0, postgres: 0 }
  let server: Server | undefined

  async function kill(running: Server, victim: 'server' | 'postgres'): Promise<void> {
    kills[victim]++
    if (victim === 'server') {
      client.down()
      await running.kill()
      server = await home.start()
      client.up(server.url)
      return
    }
    await home.killPostgres(running)
  }

  try {
    server = await home.start()
    client.up(server.url)
    consumer.start()
    await writers.prepare(groups)
    writers.start()
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      await sleep(random.between(100, size === 'long' ? 1500 : 500))
      if (random.chance(0.5)) consumer.kill()
      await kill(server, round % 5 === 3 ? 'postgres' : 'server')
      await writers.untilWell(60)
      consumer.check()
      if (round % 10 === 0) say(`${round} of ${rounds} kills, ${consumer.counts.events} events`)
    }
    const more = await atEnd()
    await writers.stop()
    await catchUp(client, consumer, home, writers.ledger.space)
    await consumer.stop()
    await home.inspect((db) => compare(db, writers.ledger))
    everyWriteHasItsEvent(writers, consumer)
    const leads = await sameCopy(client, consumer)
    return {
      'kills of the server': kills.server,
      'kills of PostgreSQL': kills.postgres,
      'kills of the consumer': consumer.counts.deaths,
      'writes answered': writers.ledger.writes,
      'of them bulk operations': writers.ledger.bulkAnswered,
      'events, without a gap': consumer.counts.events,
      'leads in the copy of the consumer, all true': leads,
      ...more,
    }
  } finally {
    await writers.stop().catch(() => {})
    await consumer.stop().catch(() => {})
    client.close()
    await server?.kill()
    await home.remove()
  }
}

/** Waits until every event of the workspace has its number, and the consumer has read it. */
export async function catchUp(
  client: Client,
  consumer: Consumer,
  home: Home,
  space: string,
): Promise<void> {
  await until('every event has a number', 30, () =>
    home.inspect(async (db) => {
      const left = await query(db, sql`select from event_new where id_space = ${space}`)
      return left.length === 0
    }),
  )
  const isAtEnd = async () => {
    consumer.check()
    const end = await client.send({ method: 'GET', path: '/events?after=now' })
    return end?.next === consumer.cursor
  }
  // However much is left, as long as it continues.
  while (!(await isAtEnd())) {
    const { cursor } = consumer
    await until('the consumer of the feed goes on', 60, () => consumer.cursor !== cursor)
  }
}

function everyWriteHasItsEvent({ ledger }: Writers, consumer: Consumer): void {
  const imported = ledger.imports.filter(({ state }) => state !== 'unsure')
  const written = [
    ...[...ledger.leads, ...ledger.notes, ...ledger.reminders],
    ...imported.flatMap(({ ids }) => ids),
  ]
  const missing = written.filter((id) => !consumer.created.has(id))
  if (missing.length > 0) throw new Breach(`${missing.length} answered writes have no event`)
  for (const { name, ids, sent, answered } of ledger.groups) {
    // A change that was sent and not answered may have been done.
    const possible = Array.from({ length: sent - answered + 1 }, (_none, more) => answered + more)
    const texts = possible.map((number) => operation(number).text)
    const wrong = ids.find((id) => !texts.includes(String(consumer.lastValue(id, 'city'))))
    if (wrong) throw new Breach(`The last change of ${name} is not in the feed for lead ${wrong}`)
  }
}

/** Compares the consumer's copy with what the service has now. Returns the number of leads. */
export async function sameCopy(client: Client, { copy }: Consumer): Promise<number> {
  const all = { method: 'POST', path: '/leads/list', body: { pagination: { all: true } } }
  const { leads } = await client.send(all)
  // A change to the values that are there already has no event, but a new time.
  const plain = ({ updated_at, ...record }: Record<string, unknown>) => record
  for (const lead of leads) {
    const copied = copy.leads.get(lead.id)
    if (!copied) throw new Breach(`Lead ${lead.id} is missing in the copy`)
    if (!isDeepStrictEqual(plain(copied), plain(lead))) {
      throw new Breach(
        `Lead ${lead.id} differs from its copy:\n${JSON.stringify(lead)}\n${JSON.stringify(copied)}`,
      )
    }
  }
  if (copy.leads.size !== leads.length) {
    throw new Breach(`The copy has ${copy.leads.size} leads, the service ${leads.length}`)
  }
  for (const name of ['tags', 'lists'] as const) {
    const found = await client.send({ method: 'GET', path: `/${name}` })
    if (!isDeepStrictEqual(copy[name].map(plain), found.map(plain))) {
      throw new Breach(`The copy has other ${name}`)
    }
  }
  return leads.length
}

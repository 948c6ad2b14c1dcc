// 16 writers in 20 workspaces of a cluster, with bulk operations, while a worker dies: in each workspace
// the change feed has no gap and keeps the order, and the counter of leads is right.
import { setTimeout as sleep } from 'node:timers/promises'
import { run as query, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { makeWorkspace } from '../test/workspace.ts'
import { Client } from './client.ts'
import { Consumer } from './feed.consumer.ts'
import { catchUp, sameCopy } from './feed.ts'
import type { Home } from './home.ts'
import { Breach, type Context, type Figures, type Size, together } from './torture.ts'
import { importOf, newIds } from './writers.ts'

const spaces = 20
const writers = 16
const importSize = 50

interface Space {
  id: string
  client: Client
  consumer: Consumer
  /** Leads that are never deleted. */
  leads: string[]
  /** The leads of each import. They are deleted together, once. */
  imports: string[][]
  writes: number
  bulk: number
}

export async function writeInManyWorkspaces(
  home: Home,
  size: Size,
  { random, say, signal }: Context,
): Promise<Figures> {
  const server = await home.start()
  const all: Space[] = []
  try {
    for (let number = 0; number < spaces; number++) {
      const created_at = new Date().toISOString()
      const made = await home.inspect((db) =>
        makeWorkspace(db, { name: `Space ${number}`, created_at }),
      )
      const client = new Client(made.key)
      client.up(server.url)
      const consumer = new Consumer(client, random.fork())
      consumer.start()
      all.push({ id: made.id_space, client, consumer, ...newCounts() })
    }
    const end = performance.now() + (size === 'long' ? 120_000 : 20_000)
    const lane = (own: Random) => async (goesOn: () => boolean) => {
      while (goesOn() && performance.now() < end) {
        if (!(await write(own.pick(all), own))) await sleep(20)
      }
    }
    const lanes = Array.from({ length: writers }, () => lane(random.fork()))
    await together([...lanes, () => home.killPostgres(server)], signal)
    let events = 0
    let leads = 0
    for (const { id, client, consumer } of all) {
      await catchUp(client, consumer, home, id)
      await consumer.stop()
      leads += await sameCopy(client, consumer)
      events += await home.inspect((db) => requireCounters(db, id))
    }
    const sum = (of: (space: Space) => number) => all.reduce((total, each) => total + of(each), 0)
    say(`${events} events in ${spaces} workspaces`)
    return {
      [`writes answered to ${writers} writers in ${spaces} workspaces`]: sum(
        ({ writes }) => writes,
      ),
      'of them bulk operations in these workspaces': sum(({ bulk }) => bulk),
      'events of these workspaces, without a gap and in order': events,
      'leads in their counters, all there': leads,
    }
  } finally {
    for (const { client, consumer } of all) {
      await consumer.stop().catch(() => {})
      client.close()
    }
    await server.stop()
  }
}

const newCounts = () => ({ leads: [], imports: [], writes: 0, bulk: 0 })

/** Returns whether it was answered. */
async function write(space: Space, random: Random): Promise<boolean> {
  const { client, leads, imports } = space
  const what = random.between(1, 10)
  const city = `City ${newId()}`
  const old = what === 10 ? imports.shift() : undefined
  let answer: unknown
  if (old) {
    answer = await bulk('POST', '/leads/delete', { filter: { leads: old } })
  } else if (what >= 9) {
    const ids = newIds(importSize)
    answer = await client.send(importOf(ids, {}))
    if (answer) {
      imports.push(ids)
      space.bulk++
    }
  } else if (what >= 7 && leads.length > 0) {
    const data = { city, company_role: city }
    answer = await bulk('PATCH', '/leads/update-many', { filter: { leads: [...leads] }, data })
  } else if (what >= 5 && leads.length > 0) {
    const path = `/lead/${random.pick(leads)}`
    answer = await client.send({ method: 'PATCH', path, body: { city } })
  } else {
    const id = newId()
    const body = { id, city, company: `Company ${random.between(1, 50)}` }
    answer = await client.send({ method: 'POST', path: '/lead', body })
    if (answer) leads.push(id)
  }
  if (answer) space.writes++
  return answer !== undefined

  async function bulk(method: string, path: string, body: object): Promise<unknown> {
    const answer = await client.send({ method, path, body })
    if (answer) space.bulk++
    return answer
  }
}

type Db = Parameters<Parameters<Home['inspect']>[0]>[0]

/** The counter is the number of leads, and the head of the feed the number of events, which it returns. */
export async function requireCounters(db: Db, space: string): Promise<number> {
  const [seen] = await query<[Record<'leads' | 'counted' | 'events' | 'last', number>]>(
    db,
    sql`select
        (select count(*) from lead where id_space = ${space} and not is_deleted) as leads,
        (select coalesce(sum(count), 0)::bigint from lead_count where id_space = ${space}) as counted,
        (select count(*) from event where id_space = ${space}) as events,
        (select seq from event_head where id_space = ${space}) as last`,
  )
  if (seen.counted !== seen.leads) {
    throw new Breach(`The counter says ${seen.counted}, there are ${seen.leads} leads`)
  }
  if (seen.events !== seen.last) {
    throw new Breach(`The feed ends at number ${seen.last}, and has ${seen.events} events`)
  }
  return seen.events
}

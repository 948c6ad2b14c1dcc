// A distributed database whose nodes die and whose shards move: nothing that was answered is lost, the
// change feed stays in order, and other workspaces continue while a worker is away.
import { setTimeout as sleep } from 'node:timers/promises'
import { run as query, sql } from '../src/db/sql.ts'
import { HttpClient, restRequest } from '../test/http-client.ts'
import { makeWorkspace } from '../test/workspace.ts'
import { requireCounters, writeInManyWorkspaces } from './cluster.spaces.ts'
import { followUnderKills } from './feed.ts'
import { clusterHome } from './home.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { until } from './until.ts'

export const cluster: Torture = {
  name: 'cluster',
  summary:
    'kills coordinator, workers and server of a Citus cluster, and moves shards, under writes',
  isOnRequest: true,
  run,
}

type Home = Awaited<ReturnType<typeof clusterHome>>

async function run(size: Size, context: Context): Promise<Figures> {
  const home = await clusterHome(context.random.fork())
  const rounds = size === 'long' ? 30 : 4
  const atEnd = async () => ({
    ...(await writeInManyWorkspaces(home, size, context)),
    ...(await withoutOneWorker(home, context)),
    ...(await rebalance(home, context)),
  })
  return followUnderKills(home, rounds, size, context, atEnd)
}

interface Lane {
  space: string
  key: string
  port: number
  answered: string[]
  refused: number
}

const spaces = 20

/** Workspaces on the worker that is away get 503. The others continue. Then all of them do. */
async function withoutOneWorker(home: Home, { say }: Context): Promise<Figures> {
  const server = await home.start()
  const http = new HttpClient({ timeoutMs: 60_000 })
  let isOver = false
  try {
    const lanes = await home.inspect(makeLanes)
    const write = async (lane: Lane) => {
      while (!isOver) {
        const request = restRequest(lane.key, 'POST', '/lead', { first_name: 'Ada' })
        const { status, text } = await http.send(server.url, request)
        if (status === 200) lane.answered.push(JSON.parse(text).id)
        else if (status === 503) lane.refused++
        else throw new Breach(`POST /lead returned ${status} ${text.slice(0, 300)}`)
      }
    }
    const writing = Promise.all(lanes.map(write))
    writing.catch(() => {})
    const grow = (which: Lane[], what: string) => {
      const before = which.map(({ answered }) => answered.length)
      return until(what, 60, () =>
        which.every(({ answered }, index) => answered.length > (before[index] ?? 0) + 2),
      )
    }
    await grow(lanes, 'all workspaces are written to')
    const [worker] = home.cluster.workers
    const away = lanes.filter(({ port }) => port === worker?.port)
    const others = lanes.filter(({ port }) => port !== worker?.port)
    say(`${away.length} of ${lanes.length} workspaces are on the worker that is killed`)
    await worker?.end('SIGKILL')
    await until('workspaces of the dead worker are refused', 30, () =>
      away.every(({ refused }) => refused > 0),
    )
    const written = away.map(({ answered }) => answered.length).join()
    await grow(others, 'other workspaces go on without the worker')
    if (away.map(({ answered }) => answered.length).join() !== written) {
      throw new Breach('A workspace was written to while its worker was away')
    }
    await worker?.start()
    await grow(lanes, 'all workspaces are written to again')
    isOver = true
    await writing
    await home.inspect(async (db) => {
      for (const { space, answered } of lanes) await requireLeads(db, space, answered)
    })
    return {
      'workspaces refused with 503 while their worker was away': away.length,
      'workspaces that went on meanwhile': others.length,
      'leads written by all of them, all found again': lanes.flatMap((lane) => lane.answered)
        .length,
    }
  } finally {
    isOver = true
    http.close()
    await server.stop()
  }
}

type Db = Parameters<Parameters<Home['inspect']>[0]>[0]

async function makeLanes(db: Db): Promise<Lane[]> {
  const lanes: Lane[] = []
  for (let number = 0; number < spaces; number++) {
    const created_at = new Date().toISOString()
    const { id_space, key } = await makeWorkspace(db, { name: `Lane ${number}`, created_at })
    const [place] = await query<{ port: number }[]>(
      db,
      sql`select nodeport as port from citus_shards
        where shardid = get_shard_id_for_distribution_column('space', ${id_space}::uuid)`,
    )
    lanes.push({ space: id_space, key, port: place?.port ?? 0, answered: [], refused: 0 })
  }
  return lanes
}

/** Every lead is there, the counter is right, and the feed has each of them once, without a gap. */
async function requireLeads(db: Db, space: string, ids: string[]): Promise<void> {
  await until('every event has a number', 30, async () => {
    const left = await query(db, sql`select from event_new where id_space = ${space} limit 1`)
    return left.length === 0
  })
  const [seen] = await query<[Record<'leads' | 'found', number>]>(
    db,
    sql`select
        (select count(*) from lead where id_space = ${space}) as leads,
        (select count(*) from lead where id_space = ${space} and id = any(${ids}::uuid[])) as found`,
  )
  if (seen.found !== ids.length) throw new Breach(`${ids.length - seen.found} leads are lost`)
  const events = await requireCounters(db, space)
  if (events !== seen.leads) throw new Breach(`${seen.leads} leads have ${events} events`)
}

/** A third worker joins, and shards move to it while the writers write. */
async function rebalance(home: Home, { say }: Context): Promise<Figures> {
  const { port } = await home.cluster.another()
  return home.inspect(async (db) => {
    await db.unsafe(`select citus_add_node('127.0.0.1', ${port})`)
    const started = performance.now()
    await db.unsafe('select citus_rebalance_start()')
    const state = async () => (await db.unsafe('select state from citus_rebalance_status()'))[0]
    for (let at = await state(); at?.state !== 'finished'; at = await state()) {
      if (['failed', 'cancelled'].includes(at?.state)) throw new Breach(`Rebalancing ${at?.state}`)
      await sleep(500)
    }
    const seconds = Math.round((performance.now() - started) / 1000)
    const [moved] = await query<[{ count: number }]>(
      db,
      sql`select count(*) from citus_shards where nodeport = ${port} and table_name = 'space'::regclass`,
    )
    say(`${moved.count} shards of each table moved to the new worker in ${seconds} s`)
    return { 'shards of each table moved under load': moved.count, 'seconds that took': seconds }
  })
}

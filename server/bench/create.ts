// POST /lead in turns: this version, an older one, and the ceiling. With many clients, with one, and with an
// Idempotency-Key; and the time that a lead takes PostgreSQL and Node.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../src/db/driver.ts'
import { openDatabase } from '../src/engine/open-database.ts'
import { cpuOf, cpuOfServer } from './cpu.ts'
import { type BenchData, forgetNewLeads, makeData } from './data.ts'
import { type Line, median, short } from './figures.ts'
import { load, type Running, startCeiling, startService } from './processes.ts'
import { newLead } from './requests.ts'

const leads = 30_000
const others = 1_000
const connections = 16
/** Until V8 has compiled the hot code, which takes the service thousands of requests, and the ceiling hundreds. */
const warmUpSeconds = 15

export interface CreatePlan {
  folder: string
  rounds: number
  seconds: number
  /** Another version: the script that starts it, and the folder of its data. */
  against?: { script: string; folder: string } | undefined
}

interface Party {
  data: BenchData
  db: Pool
  running: Running
  stop(): Promise<void>
}

interface Seen {
  /** Leads a second. */
  rate: number
  /** Milliseconds of a core for a lead. */
  postgres: number
  node: number
}

type Name = 'now' | 'before' | 'ceiling'

export async function compareCreate(
  plan: CreatePlan,
  say: (line: string) => void,
): Promise<Line[]> {
  const place = { folder: plan.folder, databaseUrl: undefined }
  const data = await makeData(place, leads, others, say)
  const parties = new Map<Name, Party>()
  try {
    parties.set('now', await begin(data, startService))
    if (plan.against) {
      const { folder, script } = plan.against
      const old: BenchData = JSON.parse(await readFile(join(folder, `${leads}.json`), 'utf8'))
      parties.set('before', await begin(old, (data) => startService(data, script)))
    }
    parties.set('ceiling', await begin(data, startCeiling))
    for (const { db, data } of parties.values()) await forgetNewLeads(db, data)
    return await measureAll(parties, plan, say)
  } finally {
    for (const { stop } of [...parties.values()].reverse()) await stop()
  }
}

async function begin(
  data: BenchData,
  start: (data: BenchData) => Promise<Running>,
): Promise<Party> {
  const running = await start(data)
  const { pool, close } = await openDatabase(
    { dataDir: data.dataDir, databaseUrl: undefined, poolSize: 1 },
    () => {},
  )
  const stop = async () => {
    await running.stop()
    await close()
  }
  return { data, db: pool, running, stop }
}

interface Way {
  clients: number
  isRepeatable?: boolean
}

async function measureAll(
  parties: Map<Name, Party>,
  { rounds, seconds }: CreatePlan,
  say: (line: string) => void,
): Promise<Line[]> {
  /** The median of each party, over rounds in which all have their turn. */
  const inTurns = async (title: string, names: Name[], ways: Way[]) => {
    const runs = names.flatMap((name) => ways.map((way) => ({ name, way, seen: [] as Seen[] })))
    for (const { name, way } of runs) await once(parties.get(name), way, warmUpSeconds)
    for (let round = 0; round < rounds; round++) {
      for (const each of round % 2 === 0 ? runs : runs.toReversed()) {
        each.seen.push(await once(parties.get(each.name), each.way, seconds))
      }
    }
    const result = runs.map(({ seen }): Seen => {
      const of = (name: keyof Seen) => median(seen.map((each) => each[name]))
      return { rate: of('rate'), postgres: of('postgres'), node: of('node') }
    })
    for (const [at, { rate, postgres, node }] of result.entries()) {
      say(
        `${title}, ${runs[at]?.name}${runs[at]?.way.isRepeatable ? ' with a key' : ''}: ${short(rate)}/s, a lead takes PostgreSQL ${short(postgres)} ms, Node ${short(node)} ms`,
      )
    }
    return result
  }
  const line = (
    operation: string,
    target: number,
    of: string,
    ours?: Seen,
    theirs?: Seen,
  ): Line[] => {
    if (!ours || !theirs) return []
    const ratio = ours.rate / theirs.rate
    const detail = `${short(ours.rate)} and ${short(theirs.rate)} a second; PostgreSQL takes ${short(ours.postgres)} and ${short(theirs.postgres)} ms for a lead`
    return [
      {
        ...{ operation, detail, measured: ratio.toFixed(2) },
        target: `at least ${target} ${of}`,
        isReached: ratio >= target,
      },
    ]
  }
  const withOld: Name[] = parties.has('before') ? ['now', 'before'] : ['now']
  const many = await inTurns(
    `${connections} clients`,
    [...withOld, 'ceiling'],
    [{ clients: connections }],
  )
  const one = await inTurns('one client', withOld, [{ clients: 1 }])
  const [key, plain] = await inTurns(
    'Idempotency-Key',
    ['now'],
    [{ clients: connections, isRepeatable: true }, { clients: connections }],
  )
  return [
    ...line(`create a lead, ${connections} clients`, 0.75, 'of the ceiling', many[0], many.at(-1)),
    ...line(`create a lead, ${connections} clients`, 1.3, 'of before', many[0], many.at(-2)),
    ...line('create a lead, one client', 0.95, 'of before', one[0], one[1]),
    ...line('create a lead with an Idempotency-Key', 0.85, 'of without', key, plain),
  ].filter(({ target }) => withOld.length > 1 || !target.endsWith('before'))
}

async function once(
  party: Party | undefined,
  { clients, isRepeatable = false }: Way,
  seconds: number,
): Promise<Seen> {
  const { data, db, running } = party as Party
  const time = async () => [await cpuOfServer(db), await cpuOf(running.pid)]
  const [serverBefore = 0, nodeBefore = 0] = await time()
  const order = { url: running.url, path: '/rest/lead', key: data.key, connections: clients }
  const bodies = [JSON.stringify(newLead(data))]
  const { rate } = await load({ ...order, seconds, bodies, isRepeatable })
  const [server = 0, node = 0] = await time()
  const count = rate * seconds
  return { rate, postgres: (server - serverBefore) / count, node: (node - nodeBefore) / count }
}

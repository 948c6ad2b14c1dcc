// High load, overload and slow clients: the service stays fast, its memory stays flat, and it refuses
// what it cannot do.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { newKey } from '../src/access/keys.ts'
import { requestWaitLimitMs } from '../src/http/overload.ts'
import type { Random } from '../src/random.ts'
import { type HttpRequest, restRequest } from '../test/http-client.ts'
import { environment, program } from '../test/program.ts'
import { drive, type Reply, Seen } from './load.drive.ts'
import { requireFlat, watchMemory } from './load.memory.ts'
import { type SlowClients, slowReaders, slowWriters } from './load.slow.ts'
import { ordinary, takeStock } from './load.traffic.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { Breach, type Context, type Figures, type Torture } from './torture.ts'

const sizes = {
  // `roomMb`: how much a warm process may still grow. The garbage collector waits longer in a young
  // process.
  short: {
    connections: 50,
    seconds: 3,
    each: 1,
    leads: 500,
    manyLeads: 3_000,
    // At most half of them wait of one workspace, which has 50 connections here.
    maxRequests: 120,
    crowd: 240,
    bulk: 8,
    readers: 4,
    roomMb: 120,
  },
  long: {
    connections: 500,
    seconds: 60,
    each: 10,
    leads: 2_000,
    manyLeads: 100_000,
    maxRequests: 1_000,
    crowd: 1_500,
    bulk: 30,
    readers: 20,
    roomMb: 64,
  },
}
/** Limit of the 99th percentile. It is high: client, service and database share the machine. */
const slowestMs = 5_000
/** A waiting request is refused at its timeout, but a busy machine may send the refusal later. */
const slowestRefusalMs = 2 * requestWaitLimitMs

/** An overloaded service must have refused a request by then. */
const crowdSeconds = 30

interface Stage extends Context {
  size: (typeof sizes)['long']
  server: Server
  /** Ordinary requests. */
  usual: (random: Random) => HttpRequest
  /** The key of a workspace with many leads. */
  manyKey: string
}

export const load: Torture = {
  name: 'load',
  summary: 'sends high load and overload, bulk changes, slow clients and invalid keys',

  async run(size, context) {
    const dataDir = await makeDataDir()
    let server: Server | undefined
    try {
      const { leads, manyLeads, maxRequests } = sizes[size]
      server = await startServer(dataDir, { MAX_REQUESTS: String(maxRequests) })
      context.say(`making ${manyLeads.toLocaleString('en')} leads`)
      const [usualKey, manyKey] = [await demo(dataDir, leads), await demo(dataDir, manyLeads)]
      const usual = ordinary(usualKey, await takeStock(server.url, usualKey))
      const stage: Stage = { ...context, size: sizes[size], server, usual, manyKey }
      return {
        ...(await manyConnections(stage)),
        ...(await tooMuch(stage)),
        ...(await bulkBeside(stage)),
        ...(await slowBeside(stage)),
        ...(await invalidKeys(stage)),
      }
    } finally {
      await server?.stop()
      await removeDataDir(dataDir)
    }
  },
}

/** Makes a workspace with demo data. Returns its key. */
async function demo(dataDir: string, leads: number): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'demo', '--leads', String(leads), '--json'],
    { env: environment(dataDir) },
  )
  return JSON.parse(stdout).key
}

/** No errors, flat memory, and a limit to how long a request takes. */
async function manyConnections(stage: Stage): Promise<Figures> {
  const { size, server, say } = stage
  say(`${size.connections} connections for ${size.seconds} seconds`)
  const memory = watchMemory(server.child.pid as number, size.seconds * 10)
  const seen = await drive({
    url: server.url,
    connections: size.connections,
    random: stage.random,
    isOver: until(stage, size.seconds),
    choose: stage.usual,
    check: mustBe(200),
  })
  memory.stop()
  requireFine('under load', seen)
  const [warm, end] = [memory.most(0.3, 0.5), memory.most(0.8, 1)]
  requireFlat('under load', warm, end, size.roomMb)
  return {
    'connections at once': size.connections,
    'requests answered, none with an error': seen.count,
    'requests a second': Math.round(seen.count / size.seconds),
    'median (ms)': seen.percentile(50),
    '99th percentile (ms)': seen.percentile(99),
    'memory after the warm-up (MB)': warm,
    'memory at the end (MB)': end,
  }
}

/** Overload: requests are refused, health checks work, and afterward the service works as before. */
async function tooMuch(stage: Stage): Promise<Figures> {
  const { size, server, say } = stage
  say(`${size.crowd} connections that overload the service`)
  // Much work for a small answer: otherwise the clients would be the bottleneck.
  const heavy = (random: Random) =>
    restRequest(stage.manyKey, 'POST', '/leads/list', {
      filter: { search: random.pick(['a', 'e', 'i']) },
      orderBy: [{ field: 'city' }],
      pagination: { page_size: 1 },
    })
  const refused = new Seen()
  const health = watchHealth(stage)
  // On a busy machine it takes longer until enough clients are connected.
  const [isLongEnough, isTooLong] = [until(stage, size.each), until(stage, crowdSeconds)]
  const seen = await drive({
    url: server.url,
    connections: size.crowd,
    random: stage.random,
    isOver: () => isLongEnough() && (refused.count > 0 || isTooLong()),
    choose: heavy,
    check(request, reply) {
      if (reply.status === 200) return undefined
      refused.add(reply)
      const { code } = reply.status === 503 ? JSON.parse(reply.text) : { code: 'not refused' }
      return code === 'INTERNAL_SERVER_ERROR' && reply.headers.get('retry-after') === '1'
        ? undefined
        : mustBe(503)(request, reply)
    },
  })
  const slowestHealth = await health.end()
  if (seen.faults.length > 0) throw new Breach(`A wrong answer under overload: ${seen.faults[0]}`)
  if (refused.count === 0) throw new Breach('Under overload nothing was refused')
  if (seen.of(200) === 0) throw new Breach('Under overload no request succeeded')
  const [quickest, slowest] = [refused.percentile(10), refused.percentile(100)]
  if (quickest > slowestMs / 2 || slowest > slowestRefusalMs) {
    throw new Breach(`Under overload a refusal took from ${quickest} to ${slowest} ms`)
  }
  await requireQuick(stage, 'after the overload', 0.5)
  return {
    'overloaded: refused with 503': refused.count,
    'overloaded: median of the refusals (ms)': refused.percentile(50),
    'overloaded: slowest refusal (ms)': refused.percentile(100),
    'overloaded: answered': seen.of(200),
    'overloaded: slowest health check (ms)': slowestHealth,
  }
}

/** Concurrent changes of very many leads do not slow other requests down. */
async function bulkBeside(stage: Stage): Promise<Figures> {
  const { size, server, say } = stage
  say(`${size.bulk} concurrent changes of all leads`)
  const bulk = drive({
    url: server.url,
    connections: size.bulk,
    random: stage.random,
    isOver: until(stage, size.each),
    choose: (random) =>
      restRequest(stage.manyKey, 'PATCH', '/leads/update-many', {
        filter: {},
        data: { city: `City ${random.between(1, 1e6)}` },
      }),
    check: mustBe(200, 503),
  })
  const beside = await requireQuick(stage, 'during bulk changes', size.each)
  const changes = await bulk
  if (changes.faults.length > 0) throw new Breach(`A bulk change: ${changes.faults[0]}`)
  return {
    'bulk changes of all leads': changes.of(200),
    'bulk changes refused with 503': changes.of(503),
    'ordinary requests at that time: 99th percentile (ms)': beside.percentile(99),
  }
}

/** Slow clients occupy neither connections to the database nor memory. */
async function slowBeside(stage: Stage): Promise<Figures> {
  const { size, server, manyKey, say } = stage
  say('slow readers of all leads, and slow writers')
  const readers = slowReaders(server.url, manyKey, size.readers)
  const writers = slowWriters(server.url, manyKey, 20)
  const memory = watchMemory(server.child.pid as number, 50)
  let beside: Seen
  try {
    await readers.begun
    beside = await requireQuick(stage, 'with slow clients', size.each)
    requireHeld('readers', readers)
    requireHeld('writers', writers)
  } finally {
    readers.leave()
    writers.leave()
    memory.stop()
  }
  const [warm, end] = [memory.most(0.3, 0.6), memory.most(0.8, 1)]
  requireFlat('with slow readers', warm, end, size.roomMb)
  await requireQuick(stage, 'after slow clients', 0.5)
  return {
    'slow readers of all leads': size.readers,
    'other requests at that time: 99th percentile (ms)': beside.percentile(99),
    'memory at the start of that time (MB)': warm,
    'memory at the end of that time (MB)': end,
  }
}

/** A flood of invalid keys is refused, and requests with a valid key do not suffer. */
async function invalidKeys(stage: Stage): Promise<Figures> {
  const { size, server, say } = stage
  say('a flood of invalid keys')
  const flood = drive({
    url: server.url,
    connections: 50,
    random: stage.random,
    isOver: until(stage, size.each),
    choose: () => restRequest(newKey(), 'GET', '/tags'),
    check: mustBe(401, 503),
  })
  const beside = await requireQuick(stage, 'with a flood of invalid keys', size.each)
  const wrong = await flood
  if (wrong.faults.length > 0) throw new Breach(`An invalid key: ${wrong.faults[0]}`)
  return {
    'invalid keys refused': wrong.of(401),
    'valid keys at that time: 99th percentile (ms)': beside.percentile(99),
  }
}

/** Sends ordinary requests on a few connections: each must succeed, and quickly. */
async function requireQuick(stage: Stage, when: string, seconds: number): Promise<Seen> {
  const seen = await drive({
    url: stage.server.url,
    connections: 5,
    random: stage.random,
    isOver: until(stage, seconds),
    choose: stage.usual,
    check: mustBe(200),
  })
  requireFine(when, seen)
  return seen
}

function requireFine(when: string, seen: Seen): void {
  if (seen.faults.length > 0) {
    throw new Breach(`${seen.faults.length} errors ${when}, the first: ${seen.faults[0]}`)
  }
  const p99 = seen.percentile(99)
  if (p99 > slowestMs) throw new Breach(`The 99th percentile was ${p99} ms ${when}`)
}

function requireHeld(who: string, { lost }: SlowClients): void {
  if (lost > 0)
    throw new Breach(`The server disconnected ${lost} slow ${who}, although they went on`)
}

/** Sends one health check after another. `end` returns the time of the slowest. */
function watchHealth({ server, random }: Stage) {
  let isOver = false
  const watching = drive({
    url: server.url,
    connections: 1,
    random,
    isOver: () => isOver,
    choose: () => ({ method: 'GET', path: '/healthz', headers: {} }),
    check: mustBe(200),
  })
  return {
    async end(): Promise<number> {
      isOver = true
      const seen = await watching
      requireFine('in health checks', seen)
      return seen.percentile(100)
    },
  }
}

const mustBe =
  (...wanted: number[]) =>
  ({ method, path }: HttpRequest, { status, text }: Reply): string | undefined =>
    wanted.includes(status) ? undefined : `${method} ${path} → ${status} ${text.slice(0, 300)}`

function until({ signal }: Context, seconds: number): () => boolean {
  const end = performance.now() + seconds * 1_000
  return () => signal.aborted || performance.now() >= end
}

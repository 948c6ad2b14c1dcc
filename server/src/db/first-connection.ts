// The first connection to the server of DATABASE_URL. The driver would retry for minutes without a
// message. Here, people soon see what the program is waiting for or what is wrong.
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isRefused, type Pool, sqlState } from './driver.ts'
import { logIfSlow } from './log-if-slow.ts'
import { run } from './sql.ts'

/** A database that Rapport cannot use. The message is one line for people. */
export class UnusableDatabase extends Error {}

const timeoutMs = 10_000

const retryMs = 250

/**
 * Waits until the server has answered a query. Throws when it cannot be reached or Rapport cannot use
 * it. For `waitMs`, a server that is not there yet is tried again: it may start at the same time as Rapport.
 * `checksSessions` takes two connections.
 */
export async function awaitServer(
  pool: Pool,
  log: (line: string) => void,
  signal: AbortSignal,
  { waitMs, checksSessions }: { waitMs: number; checksSessions: boolean },
): Promise<void> {
  const { host, port, path, ssl } = pool.options
  const addresses: net.NetConnectOpts[] = path
    ? [{ path }]
    : host.map((name, index) => ({ host: name, port: port[index] ?? 5432 }))
  const place = path || host.map((name, index) => `${name}:${port[index]}`).join(', ')
  const waitingFor = { state: 'no connection' }
  const unreachable = (why: string) =>
    new UnusableDatabase(`Cannot reach the database: ${why}. Check DATABASE_URL`)

  async function connect(): Promise<void> {
    // A signal of its own: its listeners go away with it, and a host that does not respond is abandoned.
    const done = new AbortController()
    const attempt = AbortSignal.any([ended, done.signal])
    const attempts = addresses.map((address) => greet(address, waitingFor, attempt))
    const answer = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
      const [first] = errors
      if (isNotThere(first)) throw first
      throw first instanceof NoPostgres
        ? unreachable(`no PostgreSQL server at ${place}: ${first.message}`)
        : unreachable(describe(first, place))
    })
    await putSilentLast(pool, attempts)
    done.abort()
    if (answer === 'N' && ssl && ssl !== 'prefer') {
      throw unreachable(`${place} has no TLS, but the sslmode of DATABASE_URL requires it`)
    }
    waitingFor.state = 'connection accepted, no session'
    try {
      await requireUsable(pool)
      if (checksSessions) await requireSessions(pool)
    } catch (error) {
      // The command line has its own messages for these.
      if (error instanceof UnusableDatabase || isRefused(error) || isNotThere(error)) throw error
      const { message } = error as Error
      if (message.startsWith('unsupported startup parameter')) {
        throw new UnusableDatabase(
          `The connection pooler at ${place} refuses a setting of Rapport's sessions (${message}). Set ignore_startup_parameters = lock_timeout,statement_timeout,jit there.`,
        )
      }
      throw unreachable(sqlState(error) ? message : describe(error as Error, place))
    }
  }

  async function connectInTime(): Promise<void> {
    const until = performance.now() + waitMs
    for (;;) {
      try {
        return await connect()
      } catch (error) {
        if (!isNotThere(error)) throw error
        if (performance.now() >= until) throw unreachable(describe(error, place))
        waitingFor.state = describe(error, place)
        await sleep(retryMs, undefined, { signal: ended })
      }
    }
  }

  const deadline = AbortSignal.timeout(timeoutMs + waitMs)
  const ended = AbortSignal.any([deadline, signal])
  const waiting = () => `Waiting for the PostgreSQL server at ${place} (${waitingFor.state})…`
  try {
    await logIfSlow(log, waiting, unlessAborted(connectInTime(), ended))
  } catch (error) {
    signal.throwIfAborted()
    if (!deadline.aborted) throw error
    const seconds = (timeoutMs + waitMs) / 1000
    throw unreachable(`${place} did not respond within ${seconds} seconds (${waitingFor.state})`)
  }
}

/** After the first server has answered, how long the others may take. */
const secondAnswerMs = 500

/**
 * For every connection, the driver tries the hosts in order, and waits a long time for one that does not answer.
 * So those that did not answer come last. Pools that are connected again have the same lists.
 */
async function putSilentLast(pool: Pool, attempts: Promise<string>[]): Promise<void> {
  if (attempts.length < 2) return
  const { host, port } = pool.options
  const silence = sleep(secondAnswerMs).then(() => false)
  const hasAnswered = await Promise.all(
    attempts.map((attempt) => Promise.race([attempt.then(() => true).catch(() => false), silence])),
  )
  const order = [...host.keys()].sort((a, b) => Number(hasAnswered[b]) - Number(hasAnswered[a]))
  const [hosts, ports] = [order.map((at) => host[at]), order.map((at) => port[at])]
  host.splice(0, host.length, ...(hosts as string[]))
  port.splice(0, port.length, ...(ports as number[]))
}

class NoPostgres extends Error {}

/** The SSLRequest message. PostgreSQL answers it with one letter: S (TLS) or N (no TLS). */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Connects, and returns PostgreSQL's first response. Rejects if the server is not PostgreSQL. */
async function greet(
  address: net.NetConnectOpts,
  waitingFor: { state: string },
  signal: AbortSignal,
): Promise<string> {
  const socket = net.connect({ ...address, signal } as net.NetConnectOpts)
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.once('connect', () => {
        waitingFor.state = 'connection accepted, no response'
        socket.write(tlsRequest)
      })
      socket.once('data', (answer: Buffer) => {
        const text = answer.toString('latin1')
        // S and N are the whole response. E begins an error message, which the driver will read.
        if (/^([SN]$|E)/.test(text)) return resolve(text)
        const start = JSON.stringify(text.slice(0, 40).split(/[\r\n]/)[0])
        reject(new NoPostgres(`its response begins with ${start}`))
      })
      const closed = new NoPostgres('it closed the connection without a response')
      socket.once('end', () => reject(closed))
      socket.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? closed : error),
      )
    })
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

/**
 * A pooler in transaction mode lends the same session to several clients in turn, so that their settings and locks are
 * those of others. Two sessions that are open at the same time show it.
 */
async function requireSessions(pool: Pool): Promise<void> {
  const sessions = [await pool.reserve(), await pool.reserve()]
  try {
    const pids: unknown[] = []
    for (const session of sessions) {
      const [row] = await run<[{ pid: number }]>(session)`select pg_backend_pid() as pid`
      pids.push(row.pid)
    }
    if (pids[0] !== pids[1]) return
  } finally {
    for (const session of sessions) session.release()
  }
  throw new UnusableDatabase(
    'DATABASE_URL leads to a connection pooler in transaction mode, but the sessions of Rapport have settings and locks. Set pool_mode=session there, or set DATABASE_URL to the PostgreSQL server itself.',
  )
}

/** Checks with one statement what would make migrations fail later. */
async function requireUsable(db: Db): Promise<void> {
  const [server] = await run<
    { number: number; version: string; encoding: string; is_read_only: boolean; name: string }[]
  >(db)`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version,
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      current_database() as name`
  if (!server) return
  if (server.number < 150_000) {
    throw new UnusableDatabase(
      `Rapport needs PostgreSQL 15 or newer; this server is ${server.version}.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database ${server.name} has the encoding ${server.encoding}, but Rapport needs UTF-8. Create another one with "createdb --encoding=UTF8 --template=template0 <name>", and set DATABASE_URL to it.`,
    )
  }
  if (server.is_read_only) {
    throw new UnusableDatabase(
      `The database ${server.name} is read-only. Set DATABASE_URL to the primary server, or allow this account to write.`,
    )
  }
}

/** Nothing listens there, or PostgreSQL is still starting. */
function isNotThere(error: unknown): error is Error & { code?: string } {
  const { code } = (error ?? {}) as { code?: string }
  const codes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', '57P03']
  return code !== undefined && codes.includes(code)
}

/** Node leaves the message empty when a name has several addresses and all have failed. */
function describe(error: Error & { code?: string }, place: string): string {
  return error.message || `connect ${error.code} ${place}`
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])
}

// The only file that imports the database driver, postgres.js. Its known defects are patched when it is
// loaded: see server/mend-driver.mjs.
import postgres from 'postgres'
import { readTls } from '../database-tls.ts'

/**
 * What a statement runs on: the pool or a transaction. The type omits the driver's own template,
 * because statements are written and sent with `run` (see sql.ts).
 */
export type Db = Pick<postgres.ISql, 'unsafe'>

/** A statement on its way. Wait for its rows. */
export type Sent<Rows extends object[]> = postgres.PendingQuery<Rows>

/** A pool of connections. Every handler gets one, and starts transactions on it with `transaction`. */
export interface Pool extends Db {
  begin<T>(work: (tx: Db) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (tx: Db) => Promise<T>): Promise<T>
  /** The work begins before BEGIN is answered. Until `begun` it must not write anything. */
  begin<T>(options: string, work: (tx: Begun) => Promise<T>, isAhead: true): Promise<T>
  /** Takes one connection out of the pool until it is released. */
  reserve(): Promise<Db & { release(): void }>
  end(options?: { timeout?: number }): Promise<void>
  options: postgres.Sql['options']
}

/** A transaction. If it did not begin, `begun` rejects. */
export interface Begun extends Db {
  begun: Promise<unknown>
}

export interface Target {
  url?: string
  host?: string
  port?: number
  database?: string
  username?: string
  password?: string
}

export interface PoolOptions {
  max?: number
  /**
   * A statement that waits longer for a lock fails. 0: no limit. What waits on other nodes of
   * a distributed database also needs waitingWithoutEnd.
   */
  lockTimeoutMs?: number
  /** What the database server shows for these connections. */
  name?: string
  /** Gets the text and the values of each statement. For tests. */
  onStatement?: (text: string, values: unknown[]) => void
}

type Options = postgres.Options<Record<string, postgres.PostgresType>>

/**
 * PostgreSQL adds values of rows to its errors: "Key (email)=(…) already exists". Nothing here needs them,
 * so no error has them, wherever it is printed. The driver assigns these fields to each new error.
 */
for (const field of ['detail', 'hint', 'where', 'internal_query']) {
  Object.defineProperty(postgres.PostgresError.prototype, field, { set() {} })
}

/** The driver without the settings below. Only the bench uses it, to measure what they cost. */
export const bareDriver = postgres

export function connect(
  { url, ...target }: Target,
  { max = 10, lockTimeoutMs = 0, name = 'rapport', onStatement }: PoolOptions = {},
): Pool {
  const options: Options = {
    ...target,
    max,
    connect_timeout: 10,
    // Seconds between attempts to connect while the database is unavailable. Short, so that work continues soon
    // after it is back.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    // Ignore notices, such as that an extension exists already.
    onnotice: () => {},
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      lock_timeout: lockTimeoutMs,
      // Compiling a statement takes longer than any of ours: a second, where the rest takes 50 ms.
      jit: 'off',
    },
    ...(onStatement && { debug: (_connection, text, values) => onStatement(text, values) }),
    types: {
      // Responses have timestamps in ISO 8601, in UTC, with milliseconds. So rows have them too.
      timestamptz: {
        to: 1184,
        from: [1184],
        serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
        parse: (text: string) => new Date(text).toISOString(),
      },
      // A day is text, such as "2026-01-31": it is the same everywhere.
      date: { to: 1082, from: [1082], serialize: String, parse: String },
      // As a number, which is exact: counts stay below 2^53.
      int8: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: Number,
      },
    },
  }
  if (url === undefined) return withoutPipelining(postgres(options))
  const { url: plain, ...tls } = readTls(url)
  return withoutPipelining(postgres(plain, { ...options, ...tls }))
}

/** Opens a single session that stays open. `onClose` is called when it has ended, for any reason. */
export function connectSession(target: Target, name: string, onClose: () => void): Pool {
  // Every option is set, because the driver takes missing ones from the PG… environment variables.
  return withoutPipelining(
    postgres({
      ...target,
      max: 1,
      ssl: false,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 5,
      fetch_types: false,
      prepare: false,
      onnotice: () => {},
      onclose: onClose,
      connection: { application_name: name },
    }),
  )
}

/**
 * Opens another pool on the same database, with its own limits on the wait for a lock and on the time of a
 * statement. 0: no limit. The session has them from its start, so they cost no statement.
 */
export function connectAgain(
  pool: Pool,
  max: number,
  { lockTimeoutMs = 0, statementTimeoutMs = 0 } = {},
): Pool {
  // No max_lifetime: by default the driver replaces a connection after half an hour, and its advisory
  // locks would be lost. The driver accepts parsed options, but its types do not.
  const connection = {
    ...pool.options.connection,
    lock_timeout: lockTimeoutMs,
    statement_timeout: statementTimeoutMs,
  }
  const options: unknown = { ...pool.options, connection, max, max_lifetime: null }
  return withoutPipelining(postgres(options as Options))
}

/**
 * Calls `onNotice` with the payload of each notification. `onGap` is called when listening begins, and
 * again after a lost connection: notifications may be missing. It uses a separate connection.
 */
export function listen(
  pool: Pool,
  channel: string,
  onNotice: (payload: string) => void,
  onGap: () => void,
): { stop(): Promise<void> } {
  const options: unknown = { ...pool.options, max: 1 }
  const listener = postgres(options as Options)
  // While the database is unavailable, the driver retries on its own.
  listener.listen(channel, onNotice, onGap).catch(() => {})
  return { stop: () => listener.end({ timeout: 1 }) }
}

/**
 * The driver would send a query on a connection that is still busy with another one, and a slow query would
 * delay the quick ones behind it. Instead they wait for the next free connection. Statements of
 * a transaction are still pipelined.
 */
function withoutPipelining(pool: postgres.Sql): Pool {
  const { unsafe } = pool
  pool.unsafe = ((text: string, values?: never[], options?: object) =>
    unsafe(text, values, {
      onexecute: () => false,
      ...options,
    } as object)) as postgres.Sql['unsafe']
  return pool as unknown as Pool
}

/**
 * The SQLSTATEs of a transaction that lost to another one: serialization failure, deadlock, and
 * foreign key violation, because a record can be deleted after the transaction has checked it.
 */
const lostRace = new Set(['40001', '40P01', '23503'])

/**
 * Runs the work in a transaction. If that lost to another one, runs it again from the start, with
 * all checks.
 */
export async function transaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.begin(work)
    } catch (error) {
      if (!isLostRace(error) || attempt === 10) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    }
  }
}

/** The pause of `givingWay` is random, up to this. */
const givingWayMs = 500

/**
 * Runs the work in a transaction that locks whole tables. Requests lock them in another order, so it must limit how
 * long it waits for a lock: it then gives way to them, and begins again. If PostgreSQL or Citus found a deadlock first,
 * they could end a request.
 */
export async function givingWay<T>(
  pool: Pool,
  work: (tx: Db, attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.begin((tx) => work(tx, attempt))
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * givingWayMs))
    }
  }
}

const isDeadlock = (error: unknown) => sqlState(error) === '40P01'

/** The same, noticed by the work itself: something that it has read is not there anymore. */
export class LostRace extends Error {}

export interface Statement {
  /** With $1, $2, … */
  text: string
  values: readonly unknown[]
  /** The name of the function that sends it. */
  sender?: string | undefined
}

/** A statement that has been answered. */
export interface Answered extends Statement {
  ms: number
}

/**
 * Calls `onAnswer` after each statement on this pool and on those that are connected again from it. The time is that
 * of the statement alone, without those before it on its connection.
 */
export function watchStatements(pool: Pool, onAnswer: (statement: Answered) => void): void {
  interface Query {
    string: string
    args: unknown[]
    options: { sender?: string }
  }
  const { shared } = pool.options as unknown as { shared: object }
  // Called by a patch of the driver.
  const onanswer = ({ string: text, args: values, options: { sender } }: Query, ms: number) =>
    onAnswer({ text, values, sender, ms })
  Object.assign(shared, { onanswer })
}

export function isLostRace(error: unknown): boolean {
  return error instanceof LostRace || lostRace.has(sqlState(error) ?? '')
}

export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined
  return error.code === 'XX000' ? stateOfNode(error) : error.code
}

/**
 * A cluster copies the rows of a query into a table through the coordinator. It passes on the message of a node that
 * refuses them, but not its code.
 */
const messagesOfNodes: [message: RegExp, state: string][] = [
  [/ violates check constraint /, '23514'],
  [/ violates unique constraint /, '23505'],
  [/ violates foreign key constraint /, '23503'],
  [/^deadlock detected/, '40P01'],
  [/ due to lock timeout/, '55P03'],
]

function stateOfNode({ code, message }: postgres.PostgresError): string {
  return messagesOfNodes.find(([text]) => text.test(message))?.[1] ?? code
}

const lostConnection = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/** The lock timeout expired. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/**
 * It was canceled: it ran longer than its statement_timeout, or someone did it. On a cluster the coordinator
 * counts the time, and cancels the parts on the other nodes.
 */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** The internal error of a coordinator that has lost a node during a statement. */
const lostNode =
  /could not commit transaction for shard|failure on connection marked as essential|terminating connection|server closed the connection|connection not open|could not (send|receive) data/

function isLostNode({ message }: Error, state: string): boolean {
  return state === 'XX000' && lostNode.test(message)
}

/** The database cannot be reached, or cannot do the work now. A retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) {
    // Connection errors, no resources left, shutdown or startup, I/O errors. Not a canceled query.
    const isTrouble = ['08', '53', '57', '58'].includes(state.slice(0, 2)) && state !== '57014'
    return (
      isTrouble || isReadOnly(error) || isLockTimeout(error) || isLostNode(error as Error, state)
    )
  }
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && lostConnection.has(code)
}

/** A lead would be larger than its table allows. A cluster names the constraint only in the message. */
export function isTooLarge(error: unknown): boolean {
  return sqlState(error) === '23514' && /"lead_size(_\d+)?"/.test((error as Error).message)
}

/** The server takes no writes: another one has become the primary server. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

/** The server refuses the connection: a wrong password, no such database. */
export function isRefused(error: unknown): boolean {
  return ['28', '3D'].includes(sqlState(error)?.slice(0, 2) ?? '')
}

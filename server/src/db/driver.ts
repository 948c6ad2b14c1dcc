// The only file that imports the driver. It also holds what works around the driver's defects, each
// with the address of the upstream issue: when that is closed, the workaround can go.
import postgres from 'postgres'

/**
 * What a statement runs on: the pool or a transaction. Statements are written with `sql` and sent with
 * `run` (see sql.ts), so the driver's own template is not part of the type.
 */
export type Db = Pick<postgres.ISql, 'unsafe'>

/** The pool. A handler gets it; `transaction` opens one on it. */
export interface Pool extends Db {
  begin<T>(work: (tx: Db) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (tx: Db) => Promise<T>): Promise<T>
  /** One connection for the caller alone, until it is released. */
  reserve(): Promise<Db & { release(): void }>
  end(options?: { timeout?: number }): Promise<void>
  options: postgres.Sql['options']
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
  /** A statement that waits longer for a lock fails; 0 waits forever. */
  lockTimeoutMs?: number
  /** What the database server shows for these connections. */
  name?: string
}

type Options = postgres.Options<Record<string, postgres.PostgresType>>

/** The driver without the workarounds below. Only the bench uses it, to measure what they cost. */
export const bareDriver = postgres

export function connect(
  { url, ...target }: Target,
  { max = 10, lockTimeoutMs = 0, name = 'rapport' }: PoolOptions = {},
): Pool {
  const options: Options = {
    ...target,
    max,
    connect_timeout: 10,
    // Seconds between attempts while the database is away. Short, so that work goes on soon after.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    // Notices, such as that an extension exists already, are of no use to people.
    onnotice: () => {},
    connection: { application_name: name, TimeZone: 'UTC', lock_timeout: lockTimeoutMs },
    types: {
      // Answers carry timestamps as ISO 8601 in UTC with milliseconds, so rows do too.
      timestamptz: {
        to: 1184,
        from: [1184],
        serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
        parse: (text: string) => new Date(text).toISOString(),
      },
      // Counts and contract values stay within 2^53.
      int8: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: Number,
      },
    },
  }
  return withWorkarounds(url === undefined ? postgres(options) : postgres(url, options))
}

/** A single session that stays open and belongs to no pool. `onClose` is called when it has ended. */
export function connectSession(target: Target, name: string, onClose: () => void): Pool {
  // Every option is set, because the driver takes the others from PG… variables.
  const session = postgres({
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
  })
  return session as unknown as Pool
}

/**
 * A second pool on the same database, for work that takes long and may wait for locks as long as it
 * needs. The caller ends it.
 */
export function connectBeside(pool: Pool, max = 1): Pool {
  // The driver takes options that it has parsed before, but has no type for them. max_lifetime: by
  // default it replaces a connection after half an hour, and advisory locks would go with it.
  const connection = { ...pool.options.connection, lock_timeout: 0 }
  const options: unknown = { ...pool.options, connection, max, max_lifetime: null }
  return withWorkarounds(postgres(options as Options))
}

/** Without these a broken connection would cost the pool one of its connections for good. */
function withWorkarounds(pool: postgres.Sql): Pool {
  const { unsafe } = pool
  pool.unsafe = ((text: string, values?: never[], options?: object) =>
    unsafe(text, values, { ...notPipelined, ...options } as object)) as postgres.Sql['unsafe']
  const begin = pool.begin as (...args: unknown[]) => Promise<unknown>
  pool.begin = ((...args: unknown[]) => {
    const work = args.pop() as (tx: Db) => Promise<unknown>
    return begin(...args, (tx: Db) => withoutRollbackAfterLoss(() => work(tx)))
  }) as postgres.Sql['begin']
  return pool as unknown as Pool
}

/**
 * Tells the driver not to pipeline: it sends nothing else on a connection before the query has its
 * result. A query that the driver has queued behind another when the connection breaks never settles,
 * and all that follow on that connection wait behind it.
 * https://github.com/porsager/postgres/issues/1097
 */
const notPipelined = { onexecute: () => false }

/**
 * When the connection of a transaction is lost, the driver rejects begin(), and then still sends a
 * ROLLBACK: on a connection that is closed, or that belongs to another query by now. Queries left in
 * the transaction never settle. So return a promise that never settles, too: the driver then sends no
 * ROLLBACK, and begin() has already rejected.
 * https://github.com/porsager/postgres/issues/1186
 */
async function withoutRollbackAfterLoss(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (isLostConnection(error)) return new Promise(() => {})
    throw error
  }
}

/** Only errors of the driver itself name the query that they ended. */
function isLostConnection(error: unknown): boolean {
  return (
    !(error instanceof postgres.PostgresError) && isUnavailable(error) && 'query' in Object(error)
  )
}

/**
 * The driver writes to a socket that was closed between queueing a query and sending it. The query
 * itself has been rejected by then.
 * https://github.com/porsager/postgres/issues/1154
 */
export function isLostWrite(error: unknown): boolean {
  return error instanceof TypeError && /reading 'write'\)[\s\S]*nextWrite/.test(error.stack ?? '')
}

/** SQLSTATE of a transaction that lost against another: no serial order, a deadlock, or a record that was deleted after it was checked. */
const lostRace = new Set(['40001', '40P01', '23503'])

/** All or nothing. A transaction that lost against another runs again from its start, checks included. */
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

export function isLostRace(error: unknown): boolean {
  return lostRace.has(sqlState(error) ?? '')
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
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

const lockTimeout = '55P03'

/** The database cannot be reached, or cannot take the work now. The input is not at fault. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) {
    // Connection trouble, out of resources, shutting down or starting up, I/O trouble.
    const isTrouble = ['08', '53', '57', '58'].includes(state.slice(0, 2)) && state !== '57014'
    return isTrouble || state === lockTimeout
  }
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && lostConnection.has(code)
}

/** The server is there but refuses the connection: a wrong password, no such database. */
export function isRefused(error: unknown): boolean {
  return ['28', '3D'].includes(sqlState(error)?.slice(0, 2) ?? '')
}

// The only file that knows the driver.
import postgres from 'postgres'

/** The pool. A handler gets it; `transaction` opens one on it. */
export type Pool = postgres.Sql
/** What a statement runs on: the pool or a transaction. */
export type Db = postgres.ISql
export type Json = postgres.JSONValue
/** A part of a statement, made by the driver's own template. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

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
  /** Whoever waits longer for a lock gets an error; 0 waits forever. */
  lockTimeoutMs?: number
}

export function connect(
  { url, ...target }: Target,
  { max = 10, lockTimeoutMs = 0 }: PoolOptions = {},
): Pool {
  const options: postgres.Options<Record<string, postgres.PostgresType>> = {
    ...target,
    max,
    connect_timeout: 10,
    // Seconds between attempts while the database is away: short, so that it is back at once.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    // Extensions that exist already, and such: nothing a person must read.
    onnotice: () => {},
    connection: { application_name: 'rapport', TimeZone: 'UTC', lock_timeout: lockTimeoutMs },
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
  return mend(url === undefined ? postgres(options) : postgres(url, options))
}

/** A single session that stays open and belongs to no pool. `onClose` is called when it has ended. */
export function connectSession(target: Target, name: string, onClose: () => void): Pool {
  // Every option is set, because the driver takes the others from PG… variables.
  return postgres({
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
}

/**
 * Connections of its own to the pool's database, for work that takes long, and waits for locks as long
 * as it has to. To be ended.
 */
export function connectBeside(pool: Pool, max = 1): Pool {
  // The driver takes options that it has read before, but has no type for it. By itself it would
  // replace a connection after half an hour, and locks would go with it.
  const connection = { ...pool.options.connection, lock_timeout: 0 }
  const options: unknown = { ...pool.options, connection, max, max_lifetime: null }
  return mend(postgres(options as postgres.Options<Record<string, postgres.PostgresType>>))
}

/** What the driver does wrong when a connection breaks would cost the pool that connection for good. */
function mend(pool: Pool): Pool {
  const { unsafe } = pool
  pool.unsafe = ((text: string, values?: never[], options?: object) =>
    unsafe(text, values, { ...alone, ...options } as object)) as Pool['unsafe']
  const begin = pool.begin as (...args: unknown[]) => Promise<unknown>
  pool.begin = ((...args: unknown[]) => {
    const work = args.pop() as (tx: Db) => unknown
    return begin(...args, (tx: Db) => spareRollback(() => work(tx)))
  }) as Pool['begin']
  return new Proxy(pool, {
    apply(target, receiver, args) {
      const query = Reflect.apply(target as never, receiver, args) as { options?: object }
      if (query.options) Object.assign(query.options, alone)
      return query
    },
  })
}

/**
 * Tells the driver to send nothing else on a connection before the query is answered. One that it
 * has put behind another just when the connection breaks is never answered, and all that follow on
 * that connection wait behind it.
 */
const alone = { onexecute: () => false }

/**
 * The driver fails a transaction whose connection is lost, and then still rolls it back: on a
 * connection that is closed, and never opens properly again with that in its buffer, or that has
 * become somebody else's. So work that met the loss does not end, and there is no rollback to send.
 */
async function spareRollback(work: () => unknown): Promise<unknown> {
  try {
    const result = work()
    // Several queries at once, as the driver takes them.
    return await (Array.isArray(result) ? Promise.all(result) : result)
  } catch (error) {
    if (isLostConnection(error)) return new Promise(() => {})
    throw error
  }
}

/** Of the driver: nobody else's errors name the query that they ended. */
function isLostConnection(error: unknown): boolean {
  return (
    !(error instanceof postgres.PostgresError) && isUnavailable(error) && 'query' in Object(error)
  )
}

/**
 * What a transaction meets when another one was faster: they could not be put in order, they waited
 * for each other, or a record it had checked was deleted before it could refer to it.
 */
const lostRace = new Set(['40001', '40P01', '23503'])

/** All or nothing. One that lost against another is run again from its start, checks included. */
export async function transaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await pool.begin((tx) => work(tx))) as T
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

/** Whether the database could not be reached or could not take the work now: nobody's input is at fault. */
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

/** Whether the server is there but lets nobody in like this: a wrong password, no such database. */
export function isRefused(error: unknown): boolean {
  return ['28', '3D'].includes(sqlState(error)?.slice(0, 2) ?? '')
}

/** The driver's own mistake when a connection is lost between a query and its writing. */
export function isLostWrite(error: unknown): boolean {
  return error instanceof TypeError && /reading 'write'\)[\s\S]*nextWrite/.test(error.stack ?? '')
}

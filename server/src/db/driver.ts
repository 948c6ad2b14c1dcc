// The only file that imports the database driver, postgres.js. It also holds the workarounds for defects
// of the driver. Each names the upstream issue: when that is closed, remove the workaround.
import postgres from 'postgres'

/**
 * What a statement runs on: the pool or a transaction. The type leaves out the driver's own template,
 * because statements are written with `sql` and sent with `run` (see sql.ts).
 */
export type Db = Pick<postgres.ISql, 'unsafe'>

/** A pool of connections. Every handler gets one, and starts transactions on it with `transaction`. */
export interface Pool extends Db {
  begin<T>(work: (tx: Db) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (tx: Db) => Promise<T>): Promise<T>
  /** Takes one connection out of the pool until it is released. */
  reserve(): Promise<Db & { release(): void }>
  end(options?: { timeout?: number }): Promise<void>
  options: postgres.Sql['options']
  /** It is a transaction already: `begin` makes a savepoint. */
  isTransaction?: true
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
   * A statement that waits longer for a lock fails. 0: it waits without end. What waits on other nodes of
   * a distributed database also needs waitingWithoutEnd.
   */
  lockTimeoutMs?: number
  /** What the database server shows for these connections. */
  name?: string
  /** Is told the text and the values of each statement. For tests. */
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

/** The driver without the workarounds below. Only the bench uses it, to measure what they cost. */
export const bareDriver = postgres

export function connect(
  { url, ...target }: Target,
  { max = 10, lockTimeoutMs = 0, name = 'rapport', onStatement }: PoolOptions = {},
): Pool {
  const options: Options = {
    ...target,
    max,
    connect_timeout: 10,
    // Seconds between attempts to connect while the database is away. Short, so that work continues soon
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
      // As a number, which is exact: counts and contract values stay below 2^53.
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

/** Opens a single session that stays open. `onClose` is called when it has ended, for any reason. */
export function connectSession(target: Target, name: string, onClose: () => void): Pool {
  // Every option is set, because the driver takes missing ones from the PG… environment variables.
  return withWorkarounds(
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
  return withWorkarounds(postgres(options as Options))
}

/**
 * Calls `onNotice` with the payload of each notification. `onGap` is called when listening begins, and
 * again after a lost connection: notifications may be missing. It uses a connection of its own.
 */
export function listen(
  pool: Pool,
  channel: string,
  onNotice: (payload: string) => void,
  onGap: () => void,
): { stop(): Promise<void> } {
  const options: unknown = { ...pool.options, max: 1 }
  const listener = postgres(options as Options)
  // When the database is away, the driver tries again by itself.
  listener.listen(channel, onNotice, onGap).catch(() => {})
  return { stop: () => listener.end({ timeout: 1 }) }
}

/**
 * Without the workarounds, each broken connection would make the pool smaller by one, for good, and a
 * failed statement would spoil the result of the next one.
 */
function withWorkarounds(pool: postgres.Sql): Pool {
  const { unsafe } = pool
  pool.unsafe = ((text: string, values?: never[], options?: object) =>
    withoutHoles(
      unsafe(text, values, { ...notPipelined, ...options } as object),
    )) as postgres.Sql['unsafe']
  const begin = pool.begin as (...args: unknown[]) => Promise<unknown>
  pool.begin = ((...args: unknown[]) => {
    const work = args.pop() as (tx: Db) => Promise<unknown>
    return begin(...args, (tx: Db) => withoutRollbackAfterLoss(() => work(tx)))
  }) as postgres.Sql['begin']
  return pool as unknown as Pool
}

/**
 * Turns pipelining off: the driver then sends the next query only after the result of the one before.
 * With pipelining, a query that waits behind another one when the connection breaks never settles. All
 * later queries on that connection wait behind it.
 * https://github.com/porsager/postgres/issues/1097
 */
const notPipelined = { onexecute: () => false }

/**
 * When a statement fails after it has returned rows, the driver does not forget their number: it puts the
 * rows of the next statement on this connection behind that many holes, so that the first row seems to be
 * missing. A race over a foreign key is enough, because it is checked at the end of the statement.
 * Transactions need no workaround: BEGIN and ROLLBACK reset the number.
 * https://github.com/porsager/postgres/issues/1119
 */
function withoutHoles<Query extends object>(query: Query): Query {
  const settled = query as Query & { resolve(rows: unknown): void }
  const { resolve } = settled
  settled.resolve = (rows) => {
    if (Array.isArray(rows) && rows.length > 0 && !(0 in rows)) {
      rows.splice(0, Number(Object.keys(rows)[0]))
    }
    resolve(rows)
  }
  return query
}

/**
 * When the connection of a transaction is lost, the driver rejects begin() and then still sends a
 * ROLLBACK. By then the connection is closed, or another query uses it. The remaining queries of the
 * transaction never settle. So return a promise that never settles: the driver then sends no ROLLBACK,
 * and begin() has already rejected.
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

/** Only errors of the driver itself have the property `query`. */
function isLostConnection(error: unknown): boolean {
  return (
    !(error instanceof postgres.PostgresError) && isUnavailable(error) && 'query' in Object(error)
  )
}

/**
 * Recognises an error that the driver throws outside of any promise. It queues a query and sends it
 * later; if the socket was closed in between, the write fails. The query itself has been rejected by
 * then, so the error can be ignored.
 * https://github.com/porsager/postgres/issues/1154
 */
export function isLostWrite(error: unknown): boolean {
  return error instanceof TypeError && /reading 'write'\)[\s\S]*nextWrite/.test(error.stack ?? '')
}

/**
 * The SQLSTATEs of a transaction that lost against another one: serialization failure, deadlock, and
 * foreign key violation, because a record can be deleted after the transaction has checked it.
 */
const lostRace = new Set(['40001', '40P01', '23503'])

/**
 * Runs the work in a transaction. If that lost against another one, runs it again from the start, with
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

/** The same, noticed by the work itself: something that it has read is not there any more. */
export class LostRace extends Error {}

/** The last statements of a transaction, finished, and what their rows mean. */
export interface LastStatements<T> {
  statements: { text: string; values: readonly unknown[] }[]
  result(rows: Record<string, unknown>[][]): T
}

/**
 * Runs the work in a transaction. COMMIT goes out together with the last statements, which the work returns.
 * On a distributed database, this way to the database and back is a tenth of the time of a small transaction.
 */
export async function commitTogether<T>(
  pool: Pool,
  work: (tx: Db) => Promise<LastStatements<T>>,
): Promise<T> {
  const sent = pool.isTransaction ? undefined : await sendTogether(pool, work)
  if (sent) return sent.result
  // If a statement has failed, once more one by one: it may work now, or gives the true error.
  return pool.begin(async (tx) => {
    const { statements, result } = await work(tx)
    const rows: Record<string, unknown>[][] = []
    for (const { text, values } of statements) {
      rows.push(await tx.unsafe(text, values as never[], { prepare: true }))
    }
    return result(rows)
  })
}

/** Returns undefined if one of the last statements has failed: COMMIT was then a ROLLBACK. */
async function sendTogether<T>(
  pool: Pool,
  work: (tx: Db) => Promise<LastStatements<T>>,
): Promise<{ result: T } | undefined> {
  // With a code, because when the connection is lost, the driver may reject the next transaction with it.
  const failure = Object.assign(new Error('A statement has failed'), { code: 'CONNECTION_CLOSED' })
  try {
    const { rows, result } = await pool.begin(async (tx) => {
      const { statements, result } = await work(tx)
      const rows = statements.map(({ text, values }) =>
        // Otherwise the driver sends it when somebody waits for the result.
        notRepeated(tx.unsafe(text, values as never[], { prepare: true }), failure).execute(),
      )
      return { rows, result }
    })
    // COMMIT is answered, so the statements before it are too.
    return { result: result(await Promise.all(rows)) }
  } catch (error) {
    if (error === failure) return undefined
    throw error
  }
}

/**
 * The driver repeats some statements that have failed, for example after a change of a column's type. Behind
 * COMMIT, such a statement would be written alone. A query that looks like a repeated one is not repeated: it
 * fails with the error of its first attempt, which is the given one, and the true one is lost.
 */
function notRepeated<Query extends object>(query: Query, failure: Error): Query {
  return Object.assign(query, { retried: failure })
}

export function isLostRace(error: unknown): boolean {
  return error instanceof LostRace || lostRace.has(sqlState(error) ?? '')
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

/** It has waited for a lock as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/**
 * It was canceled: it ran longer than its statement_timeout, or somebody did it. On a cluster the coordinator
 * counts the time, and cancels the parts on the other nodes.
 */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** What the coordinator of a cluster says, as an internal error, when it has lost a node in a statement. */
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
    return isTrouble || isLockTimeout(error) || isLostNode(error as Error, state)
  }
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && lostConnection.has(code)
}

/** The server refuses the connection: a wrong password, no such database. */
export function isRefused(error: unknown): boolean {
  return ['28', '3D'].includes(sqlState(error)?.slice(0, 2) ?? '')
}

// Cancels the statements of a request whose client has disconnected: nobody waits for their result, and others wait
// for their connection.
import { every, type LoopLog } from '../every.ts'
import { InProgress } from '../in-progress.ts'
import { connectAgain, type Db, type Pool } from './driver.ts'
import { run } from './sql.ts'

/** A query of the driver. It has the process of its session while that works on it. */
interface Query {
  active: boolean
  state: { pid: number } | null
  resolve(rows: unknown): void
  reject(error: unknown): void
}

/** The statements of one request. */
export interface Watched {
  /** The pool, for statements that may be canceled. */
  pool: Pool
  end(): void
}

export interface Canceler {
  /** Until `end`, statements are canceled when the client has left. */
  watch(pool: Pool, hasLeft: () => boolean): Watched
  stop(): Promise<void>
}

/** Most statements end sooner by themselves. */
const pauseMs = 200

/**
 * Looks for clients that have disconnected from time to time: a notification for each would cost more. It uses a
 * connection of its own, and only when there is something to cancel.
 */
export function createCanceler(db: Pool, log: LoopLog): Canceler {
  const session = connectAgain(db, 1)
  const requests = new InProgress<{ queries: Set<Query>; hasLeft(): boolean }>()

  const looking = every(pauseMs, 'Cancellations of statements', log, async () => {
    const pids: number[] = []
    for (const { queries, hasLeft } of requests.all()) {
      if (!hasLeft()) continue
      for (const { active, state } of queries) if (active && state) pids.push(state.pid)
    }
    if (pids.length === 0) return
    // Not a statement that another request has begun on the same connection in between.
    await run(session)`select pg_cancel_backend(pid) from pg_stat_activity
      where pid = any(${pids}::int[]) and state = 'active' and usename = current_user
        and application_name = current_setting('application_name')
        and query_start < clock_timestamp() - interval '100 milliseconds'`
  })

  return {
    watch(pool, hasLeft) {
      const request = { queries: new Set<Query>(), hasLeft }
      return { pool: watchedPool(pool, request.queries), end: requests.add(request) }
    },
    async stop() {
      await looking.stop()
      await session.end({ timeout: 1 })
    },
  }
}

function watchedPool(pool: Pool, queries: Set<Query>): Pool {
  const begin = (...args: unknown[]) => {
    const work = args.pop() as (tx: Db) => unknown
    return (pool.begin as (...args: unknown[]) => Promise<unknown>)(...args, (tx: Db) =>
      work({ unsafe: watched(tx, queries) }),
    )
  }
  return {
    unsafe: watched(pool, queries),
    begin: begin as Pool['begin'],
    reserve: pool.reserve,
    end: pool.end,
    options: pool.options,
  }
}

function watched(db: Db, queries: Set<Query>): Db['unsafe'] {
  const unsafe = (...args: Parameters<Db['unsafe']>) => {
    const query = db.unsafe(...args) as unknown as Query
    const { resolve, reject } = query
    queries.add(query)
    query.resolve = (rows) => {
      queries.delete(query)
      resolve(rows)
    }
    query.reject = (error) => {
      queries.delete(query)
      reject(error)
    }
    return query
  }
  return unsafe as unknown as Db['unsafe']
}

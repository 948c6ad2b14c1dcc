// Cancels the statements of a request whose client has left: nobody waits for their result, and others wait
// for their connection.
import { connectAgain, type Db, type Pool } from './driver.ts'
import { run, sql } from './sql.ts'

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
  /** Cancels what runs, now and later, until `end`. */
  cancel(): void
  end(): void
}

export interface Canceler {
  watch(pool: Pool): Watched
  stop(): Promise<void>
}

/** Most statements end sooner by themselves. */
const pauseMs = 200

/** Uses a connection of its own, and only when there is something to cancel. */
export function createCanceler(
  db: Pool,
  log: { warn(about: object, text: string): void },
): Canceler {
  const session = connectAgain(db, 1)
  const abandoned = new Set<Set<Query>>()
  let timer: NodeJS.Timeout | undefined

  async function cancelAll(): Promise<void> {
    const running = [...abandoned].flatMap((queries) => [...queries])
    const pids = running.flatMap(({ active, state }) => (active && state ? [state.pid] : []))
    // Not a statement that another request has begun on the same connection in between.
    if (pids.length > 0) {
      await run(
        session,
        sql`select pg_cancel_backend(pid) from pg_stat_activity
          where pid = any(${pids}::int[]) and state = 'active' and usename = current_user
            and application_name = current_setting('application_name')
            and query_start < clock_timestamp() - interval '100 milliseconds'`,
      ).catch((error) => log.warn({ err: error }, 'a statement could not be canceled'))
    }
  }

  function schedule(): void {
    timer ??= setTimeout(async () => {
      await cancelAll()
      timer = undefined
      if (abandoned.size > 0) schedule()
    }, pauseMs)
  }

  return {
    watch(pool) {
      const queries = new Set<Query>()
      return {
        pool: watchedPool(pool, queries),
        cancel() {
          abandoned.add(queries)
          schedule()
        },
        end: () => void abandoned.delete(queries),
      }
    },
    async stop() {
      clearTimeout(timer)
      abandoned.clear()
      await session.end({ timeout: 1 })
    },
  }
}

function watchedPool(pool: Pool, queries: Set<Query>): Pool {
  const begin = (...args: unknown[]) => {
    const work = args.pop() as (tx: Db) => unknown
    return (pool.begin as (...args: unknown[]) => Promise<unknown>)(...args, (tx: Db) =>
      work(watchedDb(tx, queries)),
    )
  }
  return Object.assign(watchedDb(pool, queries), { begin: begin as Pool['begin'] })
}

function watchedDb<D extends Db>(db: D, queries: Set<Query>): D {
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
  return Object.assign(Object.create(db), { unsafe })
}

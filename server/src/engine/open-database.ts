// The database of this configuration: a given server, or the bundled one.
import type { Config } from '../config.ts'
import { connect, type Pool, type PoolOptions, type Target } from '../db/driver.ts'
import { awaitServer } from '../db/first-connection.ts'
import { waitingWithoutEnd } from '../db/lock-limit.ts'
import { openEngine } from './engine.ts'

export interface Database {
  pool: Pool
  /**
   * Runs work that changes the schema. In the bundled PostgreSQL it gets connections of the schema's owner,
   * on your own server those of the one account that there is.
   */
  asOwner<T>(work: (pool: Pool) => Promise<T>): Promise<T>
  /** For people: where the data is. */
  where: string
  close(): Promise<void>
}

interface Options extends Pick<PoolOptions, 'lockTimeoutMs' | 'name'> {
  /** Gives up opening. */
  signal?: AbortSignal
  /** How long to wait for your own server. */
  waitMs?: number
  /** Also finds out whether your own server keeps sessions. */
  checksSessions?: boolean
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'poolSize'>
type Log = (line: string) => void

interface Opened {
  pool: Pool
  /** The schema's owner, if the pool has another account. */
  owner?: Target
  where: string
  /** Leaves the bundled PostgreSQL. The last process to leave stops it. */
  leave(): Promise<void>
}

/** One function for each database that is open or being opened: leaves it immediately. */
const abandons = new Set<() => Promise<void>>()

/** Leaves all databases without waiting for queries. For a process that must end now. */
export async function abandonDatabases(): Promise<void> {
  await Promise.allSettled([...abandons].map((abandon) => abandon()))
}

export async function openDatabase(
  config: Settings,
  log: Log,
  { lockTimeoutMs = 0, name, signal, waitMs = 0, checksSessions = false }: Options = {},
): Promise<Database> {
  const abandoned = new AbortController()
  const given = AbortSignal.any([abandoned.signal, ...(signal ? [signal] : [])])
  const options = { max: config.poolSize, lockTimeoutMs, ...(name && { name }) }
  const opening =
    config.databaseUrl === undefined
      ? openBox(config.dataDir, options, log, given)
      : openServer(config.databaseUrl, options, log, given, { waitMs, checksSessions })

  const pools = new Set<Pool>()
  const abandon = async () => {
    abandoned.abort()
    const opened = await opening.catch(() => undefined)
    // A query that is still running ends with its connection.
    for (const pool of pools) pool.end({ timeout: 0 }).catch(() => {})
    await opened?.leave()
  }
  abandons.add(abandon)
  try {
    const { pool: opened, owner, where, leave } = await opening
    pools.add(opened)
    const pool = lockTimeoutMs === 0 ? waitingWithoutEnd(opened) : opened
    return {
      pool,
      where,
      async asOwner(work) {
        if (!owner) return work(pool)
        const owners = connect(owner, { ...options, max: 2 })
        pools.add(owners)
        return work(owners).finally(() => owners.end({ timeout: 5 }))
      },
      async close() {
        await pool.end({ timeout: 5 })
        await leave()
        abandons.delete(abandon)
      },
    }
  } catch (error) {
    abandons.delete(abandon)
    throw error
  }
}

async function openServer(
  url: string,
  options: PoolOptions,
  log: Log,
  signal: AbortSignal,
  first: { waitMs: number; checksSessions: boolean },
): Promise<Opened> {
  const pool = connect({ url }, options)
  try {
    await awaitServer(pool, log, signal, first)
  } catch (error) {
    pool.end({ timeout: 0 }).catch(() => {})
    throw error
  }
  const { host, port, database } = pool.options
  const places = host.map((name, at) => `${name}:${port[at]}`).join(', ')
  return { pool, where: `PostgreSQL at ${places}/${database}`, leave: async () => {} }
}

async function openBox(
  dataDir: string,
  options: PoolOptions,
  log: Log,
  signal: AbortSignal,
): Promise<Opened> {
  const engine = await openEngine({ dataDir, log, signal })
  return {
    pool: connect(engine.connections.service, options),
    owner: engine.connections.owner,
    where: `${dataDir} (bundled PostgreSQL)`,
    leave: () => engine.leave(),
  }
}

// Where the data of a torture is: the bundled PostgreSQL, or a cluster.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, isUnavailable, type Pool } from '../src/db/driver.ts'
import type { Random } from '../src/random.ts'
import { type Cluster, startCluster } from '../test/cluster.ts'
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { runProgram } from '../test/program.ts'
import { inspect } from './inspect.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { until } from './until.ts'

/** More variables for the service, and what to do as soon as its process exists. */
type StartOptions = [env?: Record<string, string>, spawned?: (child: ChildProcess) => void]

export interface Home {
  dataDir: string
  /** Starts the service on the data. */
  start(...options: StartOptions): Promise<Server>
  /** Opens the database itself. The caller closes it. */
  open(): Promise<{ pool: Pool; close(): Promise<void> }>
  /** Calls `use` with new connections to the database. Retries until it can connect. */
  inspect<T>(use: (db: Pool) => Promise<T>): Promise<T>
  /** Kills a PostgreSQL with SIGKILL, and returns when it runs again. The service runs in the meantime. */
  killPostgres(server: Server): Promise<void>
  /** The same for a service that is killed too: it starts the bundled PostgreSQL again itself. */
  killPostgresToo(server: Server): Promise<void>
  remove(): Promise<void>
}

export async function boxHome(): Promise<Home> {
  const dataDir = await makeDataDir()
  return {
    dataDir,
    start: (...options) => startServer(dataDir, ...options),
    open: () => openAsSuperuser({ databaseUrl: undefined, dataDir, poolSize: 3 }),
    inspect: (use) => inspect(dataDir, use),
    async killPostgres(server) {
      const postmaster = await server.postgresPid()
      process.kill(postmaster, 'SIGKILL')
      await until('PostgreSQL is started again', 30, async () => {
        const pid = await server.postgresPid().catch(() => postmaster)
        return pid !== postmaster
      })
    },
    async killPostgresToo(server) {
      process.kill(await server.postgresPid(), 'SIGKILL')
    },
    remove: () => removeDataDir(dataDir),
  }
}

/** A distributed database on a cluster of its own. The nodes are killed in turns. */
export async function clusterHome(random: Random): Promise<Home & { cluster: Cluster }> {
  const cluster = await startCluster({ isSafe: true })
  const dataDir = await makeDataDir()
  const env = { DATABASE_URL: cluster.ownerUrl }
  const nodes = [...cluster.workers, cluster.coordinator]
  let kills = 0
  try {
    await runProgram(dataDir, ['distribute', '--yes'], env)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  const killPostgres = async () => {
    const node = nodes[kills++ % nodes.length]
    await node?.end('SIGKILL')
    await sleep(random.between(100, 2_000))
    await node?.start()
  }
  return {
    cluster,
    dataDir,
    start: (more, spawned) => startServer(dataDir, { ...env, ...more }, spawned),
    open: () => openAsSuperuser({ databaseUrl: cluster.ownerUrl, dataDir, poolSize: 3 }),
    inspect: (use) =>
      until('the coordinator accepts a connection', 60, async () => {
        const db = connect({ url: cluster.url }, { max: 1 })
        try {
          return { result: await use(db) }
        } catch (error) {
          if (!isUnavailable(error)) throw error
          return undefined
        } finally {
          await db.end({ timeout: 1 })
        }
      }).then(({ result }) => result),
    killPostgres,
    killPostgresToo: killPostgres,
    async remove() {
      await removeDataDir(dataDir)
      await cluster.stop()
    },
  }
}

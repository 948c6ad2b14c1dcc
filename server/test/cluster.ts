// A Citus cluster for tests: a coordinator and workers on this machine, from a PostgreSQL with Citus that
// is installed already. Everything is in one folder, which is removed at the end.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../src/db/driver.ts'
import { type Account, accountForRoot, closedFolder } from '../src/engine/account.ts'
import { freePort } from './free-port.ts'
import { endProcess } from './program.ts'

const run = promisify(execFile)

export interface ClusterNode {
  port: number
  /** Stops the server: SIGINT as an administrator does, SIGKILL as a crash does. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
}

export interface Cluster {
  /** The database on the coordinator. The extension is there, and the workers are its nodes. */
  url: string
  /** The same for an account that owns the database and has no other rights. */
  ownerUrl: string
  coordinator: ClusterNode
  workers: ClusterNode[]
  /** Starts one more server, which is not a node of the cluster yet. */
  another(): Promise<ClusterNode>
  stop(): Promise<void>
}

/** There is no PostgreSQL with Citus that can be started. The message is one line. */
export class NoCitus extends Error {}

const user = 'postgres'
const owner = 'rapport'
const database = 'rapport'
const host = '127.0.0.1'

/** The folder with the programs of a PostgreSQL that has Citus: the one of PG_CONFIG, or of the PATH. */
export async function findCitus(): Promise<string> {
  const pgConfig = process.env.PG_CONFIG ?? 'pg_config'
  const { stdout } = await run(pgConfig, ['--bindir', '--sharedir']).catch(() => {
    throw new NoCitus(
      `There is no ${pgConfig}: set PG_CONFIG to the one of a PostgreSQL with Citus.`,
    )
  })
  const [programs = '', shared = ''] = stdout.trim().split('\n')
  const isThere =
    existsSync(join(programs, 'postgres')) && existsSync(join(shared, 'extension/citus.control'))
  if (isThere) return programs
  throw new NoCitus(
    `The PostgreSQL of ${pgConfig} has no Citus: set PG_CONFIG to the one of a PostgreSQL that has it.`,
  )
}

export async function startCluster({
  workers = 2,
  isSafe = false,
  say = () => {},
}: {
  workers?: number
  /** Wait for the disk at each commit. */
  isSafe?: boolean
  say?: (line: string) => void
} = {}): Promise<Cluster> {
  const programs = await findCitus()
  const account = process.getuid?.() === 0 ? await accountForRoot(undefined, say) : undefined
  const closed = account && (await closedFolder(account, programs))
  if (closed) {
    throw new NoCitus(`The account that PostgreSQL runs under may not enter ${closed}.`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'rapport-cluster-'))
  const passwords = join(folder, 'passwords')
  const password = randomBytes(16).toString('hex')
  // Nodes reach each other, and themselves, with this.
  await writeFile(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 })
  await writeFile(join(folder, 'password'), password, { mode: 0o600 })
  if (account) {
    for (const name of ['', 'passwords', 'password']) {
      await chown(join(folder, name), account.uid, account.gid)
    }
  }
  const options: NodeOptions = { programs, folder, account, isSafe, passwords }
  const nodes: ClusterNode[] = []
  const urlOf = ({ port }: ClusterNode, name = database, account = user) =>
    `postgres://${account}:${password}@${host}:${port}/${name}`

  async function add(): Promise<ClusterNode> {
    const node = await createNode(`node${nodes.length}`, options)
    nodes.push(node)
    await send(urlOf(node, 'postgres'), [
      `create role ${owner} login password '${password}'`,
      `create database ${database} owner ${owner}`,
    ])
    await send(urlOf(node), ['create extension citus'])
    return node
  }

  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => node.end('SIGINT')))
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }

  try {
    const coordinator = await add()
    const others: ClusterNode[] = []
    for (let number = 0; number < workers; number++) others.push(await add())
    await send(urlOf(coordinator), [
      `select citus_set_coordinator_host('${host}', ${coordinator.port})`,
      ...others.map(({ port }) => `select citus_add_node('${host}', ${port})`),
    ])
    return {
      url: urlOf(coordinator),
      ownerUrl: urlOf(coordinator, database, owner),
      coordinator,
      workers: others,
      another: add,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface NodeOptions {
  programs: string
  folder: string
  account: Account | undefined
  isSafe: boolean
  passwords: string
}

async function createNode(name: string, options: NodeOptions): Promise<ClusterNode> {
  const { programs, folder, account, isSafe, passwords } = options
  const data = join(folder, name)
  const spawnOptions = {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', PGPASSFILE: passwords },
    ...(account && { uid: account.uid, gid: account.gid }),
  }
  await mkdir(data, { mode: 0o700 })
  if (account) await chown(data, account.uid, account.gid)
  await run(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', user, '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`],
      ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
    ],
    spawnOptions,
  )
  const port = await freePort()
  const settings = {
    shared_preload_libraries: 'citus',
    listen_addresses: host,
    port,
    unix_socket_directories: '',
    'citus.local_hostname': host,
    'citus.node_conninfo': 'sslmode=disable',
    // Every test file has databases of its own, and a daemon of Citus in each.
    max_worker_processes: 200,
    max_connections: 400,
    max_prepared_transactions: 400,
    // How soon a transaction that a crash left prepared is ended. Until then its rows are locked.
    'citus.recover_2pc_interval': '2s',
    // Moving a shard without stopping its writers needs it.
    wal_level: 'logical',
    shared_buffers: '256MB',
    ...(!isSafe && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    // After a crash the processes of the server end a moment later, and until then it cannot start.
    for (let attempt = 1; ; attempt++) {
      try {
        return await startOnce()
      } catch (error) {
        if (attempt === 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  async function startOnce(): Promise<void> {
    const log = openSync(join(folder, `${name}.log`), 'a')
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
      ...spawnOptions,
      // A process group of its own: Ctrl-C in the terminal must not reach it before us.
      detached: true,
      stdio: ['ignore', log, log],
    })
    const ended = once(server, 'exit').then(async () => {
      throw new Error(
        `${name} has ended:\n${await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '')}`,
      )
    })
    ended.catch(() => {})
    await Promise.race([ended, ready(programs, port)])
  }

  await start()
  return {
    port,
    start,
    async end(signal) {
      if (server) await endProcess(server, signal)
    },
  }
}

async function ready(programs: string, port: number): Promise<void> {
  for (;;) {
    const isReady = await run(join(programs, 'pg_isready'), ['-h', host, '-p', `${port}`]).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function send(url: string, statements: string[]): Promise<void> {
  const db = connect({ url }, { max: 1 })
  try {
    for (const statement of statements) await db.unsafe(statement)
  } finally {
    await db.end()
  }
}

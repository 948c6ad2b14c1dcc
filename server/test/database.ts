// Runs once for all test files: starts a real PostgreSQL and makes a template database with the
// schema. The server is the bundled one, or the one that DATABASE_URL names. With CITUS_URL it is a
// cluster, and the template is distributed.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { selectWorkers } from '../src/db/distribute.sql.ts'
import { distributeTables, removeLocalRows } from '../src/db/distribute.ts'
import { connect, type Pool, type Target } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { type Engine, openEngine } from '../src/engine/engine.ts'
import { giveRights } from '../src/engine/roles.ts'
import { fillFolder, makeTemplate } from './data-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: Target
    /** The same server with the account that the service has there. */
    service: Target
    /** The servers of the cluster, the coordinator first. Without a cluster only the server. */
    nodes: Target[]
    template: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-test-'))
  await chmod(folder, 0o711)
  await makeTemplate(join(folder, 'template'))
  const server = await openServer(join(folder, 'server'))
  const nodes = process.env.CITUS_URL ? await nodesOf(server.target) : [server.target]
  const template = `rapport_template_${process.pid}`
  await onEach(nodes, (admin) => admin.unsafe(`create database ${template}`))
  const target = inDatabase(server.target, template)
  if (nodes.length > 1) await joinNodes(nodes, template)
  if (server.as) await onEach([target], (admin) => admin.begin(giveRights))
  const pool = connect(inDatabase(server.as?.owner ?? server.target, template), { max: 2 })
  await migrate(pool)
  if (nodes.length > 1) {
    await pool.begin((tx) => distributeTables(tx))
    await removeLocalRows(pool)
  }
  await pool.end()
  if (nodes.length > 1) await onEach(nodes, (admin) => closeDatabase(admin, template))

  project.provide('server', server.target)
  project.provide('service', server.as?.service ?? server.target)
  project.provide('nodes', nodes)
  project.provide('template', template)
  return async () => {
    await onEach(nodes, (admin) => admin.unsafe(`drop database ${template} with (force)`))
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The servers of the cluster. They are reached with the account of the coordinator. */
async function nodesOf(coordinator: Target): Promise<Target[]> {
  const db = connect(coordinator, { max: 1 })
  const workers = await selectWorkers(db).finally(() => db.end())
  if (workers.length === 0) throw new Error('The cluster of CITUS_URL has no workers.')
  const ofWorkers = workers.map(({ name, port }) => {
    const url = new URL(coordinator.url ?? '')
    url.host = `${name}:${port}`
    return { url: url.href }
  })
  return [coordinator, ...ofWorkers]
}

/** Makes the databases of this name one cluster. Four shards are enough, and faster to copy. */
export async function joinNodes(nodes: Target[], database: string): Promise<void> {
  const inIt = nodes.map((node) => inDatabase(node, database))
  await onEach(inIt, (db) => db.unsafe('create extension citus'))
  await onEach(inIt.slice(0, 1), async (db) => {
    await db.unsafe(`alter database ${database} set citus.shard_count = 4`)
    const [coordinator, ...workers] = nodes.map(({ url }) => new URL(url ?? ''))
    const address = ({ hostname, port }: URL) => `'${hostname}', ${port || 5432}`
    if (coordinator) await db.unsafe(`select citus_set_coordinator_host(${address(coordinator)})`)
    for (const worker of workers) await db.unsafe(`select citus_add_node(${address(worker)})`)
  })
}

/** A template must have no sessions, and the cluster keeps some open. */
async function closeDatabase(admin: Pool, name: string): Promise<void> {
  await admin.unsafe(`alter database ${name} allow_connections false`)
  const left = `from pg_stat_activity where datname = '${name}'`
  do await admin.unsafe(`select pg_terminate_backend(pid) ${left}`)
  while ((await admin.unsafe(`select ${left}`)).length > 0)
}

export function inDatabase(target: Target, database: string): Target {
  if (target.url === undefined) return { ...target, database }
  const url = new URL(target.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

export async function onEach(
  nodes: Target[],
  work: (admin: Pool) => PromiseLike<unknown>,
): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      const admin = connect(node, { max: 1 })
      await Promise.resolve(work(admin)).finally(() => admin.end())
    }),
  )
}

/** `as`: the accounts of the bundled PostgreSQL. Elsewhere there is one. */
async function openServer(dataDir: string): Promise<{
  target: Target
  as?: Engine['connections']
  close(): Promise<void>
}> {
  const url = process.env.CITUS_URL ?? process.env.DATABASE_URL
  if (url) return { target: { url }, close: async () => {} }
  await fillFolder(dataDir)
  const engine = await openEngine({ dataDir, log: console.error })
  await trustMemory(engine.connections.superuser)
  return {
    target: engine.connections.superuser,
    as: engine.connections,
    close: engine.leave,
  }
}

/**
 * This server holds nothing that must survive, so it need not wait for the disk. Crash tests have their own. Nor does it
 * look at its hundreds of databases: a test must hold without statistics.
 */
async function trustMemory(target: Target): Promise<void> {
  const admin = connect(target, { max: 1 })
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']) {
    await admin.unsafe(`alter system set ${setting} = off`)
  }
  await admin.unsafe('select pg_reload_conf()')
  await admin.end()
}

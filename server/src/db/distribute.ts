// Distributes the workspaces of a database over the nodes of a Citus cluster. Each workspace is entirely on one
// node. Keys and sign-in links stay on the coordinator, because the workspace of a request is unknown before
// its key is known.
import {
  distributeTable,
  isCoordinator,
  isDistributed,
  lockAgainstWrites,
  type Node,
  selectCitus,
  selectOwnership,
  selectPlaces,
  selectUnreachable,
  selectWorkers,
  truncateLocalRows,
} from './distribute.sql.ts'
import { type Db, givingWay, type Pool } from './driver.ts'
import { selectTenantTables } from './tables.sql.ts'

/** The database cannot be distributed. The message is one line for people. */
export class CannotDistribute extends Error {}

/** The oldest Citus release that Rapport has been tested on. */
const oldestCitus = 13

/** Returns the nodes for the workspaces. Throws when something is missing. */
export async function requireCluster(db: Db): Promise<Node[]> {
  const version = await selectCitus(db)
  if (version === undefined) {
    throw new CannotDistribute(
      'This database does not have the Citus extension. On every node, create the database and run "create extension citus" in it. See docs/SCALE.md.',
    )
  }
  if (Number.parseInt(version, 10) < oldestCitus) {
    throw new CannotDistribute(`Rapport needs Citus ${oldestCitus} or newer; this is ${version}.`)
  }
  if (!(await isCoordinator(db))) {
    throw new CannotDistribute(
      'This server is a worker of the cluster. Set DATABASE_URL to the coordinator.',
    )
  }
  const workers = await selectWorkers(db)
  if (workers.length === 0) {
    throw new CannotDistribute(
      `The cluster has no worker. Add one with "select citus_add_node('<host>', <port>)" on the coordinator. See docs/SCALE.md.`,
    )
  }
  const [unreachable] = await selectUnreachable(db)
  if (unreachable) {
    const { name, port, reason } = unreachable
    throw new CannotDistribute(
      `The worker ${name}:${port} cannot be used: ${reason.split('\n')[0]}`,
    )
  }
  const { account, others } = await selectOwnership(db, await selectTenantTables(db))
  if (others.length > 0) {
    throw new CannotDistribute(
      `Only the owner of a table can distribute it, and ${account} does not own ${others.join(', ')}.`,
    )
  }
  return workers
}

/**
 * Distributes the tables that are not yet. Returns their names. Call it in a transaction: a table that
 * refers to one on another node would be wrong. `onTable` is called before each table.
 */
export async function distributeTables(
  tx: Db,
  onTable: (table: string) => void = () => {},
): Promise<string[]> {
  const places = await selectPlaces(tx, await selectTenantTables(tx))
  const missing = places.filter(({ isDistributed }) => !isDistributed).map(({ table }) => table)
  if (missing.length === 0) return []
  // All at once: a writer that has one of them and waits for another would end this with a deadlock.
  await lockAgainstWrites(tx, missing)
  for (const table of missing) {
    onTable(table)
    await distributeTable(tx, table)
  }
  return missing
}

/** How long this waits for the lock of a table, and how often. */
const truncateWaitMs = 20
const attempts = 500

/** Removes the rows that have moved to the nodes from this server. The service may run in the meantime. */
export async function removeLocalRows(pool: Pool): Promise<void> {
  await givingWay(pool, async (tx, attempt) => {
    if (attempt > attempts) {
      throw new CannotDistribute(
        'The rows have moved, but the old ones on the coordinator are constantly in use. Run this again when there is less traffic.',
      )
    }
    await truncateLocalRows(tx, truncateWaitMs)
  })
}

/** How often we ask whether a database is distributed: it may become so while we run. */
const askMs = 60_000
const known = new WeakMap<object, { at: number; answer: Promise<boolean> }>()

/** Cached isDistributed, for the few places that treat a cluster differently. */
export function isOnCluster(pool: Pool): Promise<boolean> {
  const before = known.get(pool.options)
  if (before && performance.now() - before.at < askMs) return before.answer
  const answer = isDistributed(pool)
  known.set(pool.options, { at: performance.now(), answer })
  answer.catch(() => known.delete(pool.options))
  return answer
}

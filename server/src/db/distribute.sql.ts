// Statements about a distributed database: PostgreSQL with the extension Citus.
import type { Db } from './driver.ts'
import { columnNames, run, sql } from './sql.ts'
import { unreferring } from './tables.sql.ts'

/** The version of the extension, such as "13.2-1". Undefined: it is not in this database. */
export async function selectCitus(db: Db): Promise<string | undefined> {
  const [row] = await run<{ version: string }[]>(db)`
    select extversion as version from pg_extension where extname = 'citus'`
  return row?.version
}

/** Whether the workspaces of this database are distributed over the nodes of a cluster. */
export async function isDistributed(db: Db): Promise<boolean> {
  if ((await selectCitus(db)) === undefined) return false
  const rows = await run(db)`
    select from pg_dist_partition where logicalrelid = to_regclass('space') and partmethod = 'h'`
  return rows.length > 0
}

export async function isCoordinator(db: Db): Promise<boolean> {
  const rows = await run(db)`select from pg_dist_local_group where groupid = 0`
  return rows.length > 0
}

export interface Node {
  name: string
  port: number
}

/** The nodes that hold shards. */
export function selectWorkers(db: Db): Promise<Node[]> {
  return run<Node[]>(db)`select nodename as name, nodeport as port from pg_dist_node
    where isactive and noderole = 'primary' and shouldhaveshards order by nodeid`
}

/** The workers on which a statement of this account fails, with the reason. */
export function selectUnreachable(db: Db): Promise<(Node & { reason: string })[]> {
  return run<(Node & { reason: string })[]>(
    db,
    sql`select nodename as name, nodeport as port, result as reason
      from run_command_on_workers('select 1') where not success`,
  )
}

/** The account that the program uses, and those of these tables that belong to another one. */
export async function selectOwnership(
  db: Db,
  tables: string[],
): Promise<{ account: string; others: string[] }> {
  const [row] = await run<[{ account: string; others: string[] }]>(db)`
    select current_user as account, array(
      select relname::text from pg_class
      where oid in (select to_regclass(quote_ident(unnest(${tables}::text[]))))
        and not pg_has_role(relowner, 'usage')
      order by relname) as others`
  return row
}

/** Where a table is. */
export interface Place {
  table: string
  /** It is distributed by workspace, and its rows are on the same nodes as their workspace. */
  isDistributed: boolean
  /** Disk space of rows on this server. On a distributed table these are rows from before. */
  localBytes: number
}

/** The tables that belong to workspaces, parents first. Needs the extension. */
export function selectPlaces(db: Db, tables: string[]): Promise<Place[]> {
  return run<Place[]>(db)`select wanted.name as table,
      coalesce(part.partmethod = 'h' and part.colocationid = (
        select colocationid from pg_dist_partition where logicalrelid = to_regclass('space')
      ), false) as "isDistributed",
      pg_relation_size(to_regclass(quote_ident(wanted.name))) as "localBytes"
    from unnest(${tables}::text[]) with ordinality as wanted (name, place)
    left join pg_dist_partition part
      on part.logicalrelid = to_regclass(quote_ident(wanted.name))
    order by wanted.place`
}

export async function countRowsOf(db: Db, table: string): Promise<number> {
  const [row] = await run<[{ count: number }]>(db)`
    select count(*) as count from ${columnNames([table])}`
  return row.count
}

/** The number of shards of the workspaces; before they are distributed, the number that they will have. */
export async function selectShardCount(db: Db): Promise<number> {
  const [row] = await run<[{ count: number }]>(db)`
    select case count(*) when 0 then current_setting('citus.shard_count')::int else count(*)::int end as count
    from pg_dist_shard where logicalrelid = to_regclass('space')`
  return row.count
}

/** Nothing else changes these tables until the transaction ends. Others may read them. */
export async function lockAgainstWrites(tx: Db, tables: string[]): Promise<void> {
  await run(tx)`lock table ${columnNames(tables)} in share row exclusive mode`
}

/**
 * Distributes a table over the nodes, with its rows. `space` comes first. All others are colocated, so that all
 * rows of a workspace are on one node.
 */
export async function distributeTable(tx: Db, table: string): Promise<void> {
  const beside = table === 'space' ? 'none' : 'space'
  await run(tx)`
    select create_distributed_table(quote_ident(${table}), 'id_space', colocate_with => ${beside})`
}

/**
 * Removes what is left on this server of rows that are on the nodes now: of `space`, of all tables that refer to it,
 * and of the one that refers to nothing. Waits for the lock of each of them no longer than this.
 */
export async function truncateLocalRows(tx: Db, waitMs: number): Promise<void> {
  await run(tx)`select set_config('lock_timeout', ${String(waitMs)}, true)`
  for (const table of ['space', unreferring]) {
    await run(tx)`select truncate_local_data_after_distributing_table(${table}::regclass)`
  }
}

/**
 * Sets for all sessions of this account in this database, including those on the nodes, what our sessions set
 * for themselves (driver.ts): that does not reach the nodes.
 */
export async function setForAccount(db: Db, lockTimeoutMs: number): Promise<void> {
  const [names] = await run<[{ account: string; database: string }]>(db)`
    select quote_ident(current_user) as account, quote_ident(current_database()) as database`
  const { account, database } = names
  const set = `alter role ${account} in database ${database} set`
  await db.unsafe(`${set} lock_timeout = ${lockTimeoutMs}`)
  await db.unsafe(`${set} jit = off`)
}

/** The lock timeout on each worker. 0: none. */
export async function selectLockLimits(db: Db): Promise<string[]> {
  const rows = await run<{ result: string }[]>(db)`
    select result from run_command_on_workers('show lock_timeout') where success`
  return rows.map(({ result }) => result)
}

/** Rows that have just moved have no statistics, and the first plans would be bad. */
export async function analyzeTables(db: Db, tables: string[]): Promise<void> {
  await run(db)`analyze ${columnNames(tables)}`
}

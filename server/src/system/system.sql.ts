// What the database knows about itself.

import { selectSpaces } from '../access/access.sql.ts'
import { isOnCluster } from '../db/distribute.ts'
import { type Db, type Pool, sqlState } from '../db/driver.ts'
import { acrossWorkspaces, join, raw, run, runOne, type Sql, sql } from '../db/sql.ts'
import { selectTenantTables } from '../db/tables.sql.ts'

export interface DatabaseFacts {
  version: string
  bytes: number
  clock: string
  /** Connections of all programs. */
  connections: number
  maxConnections: number
}

export async function selectDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [facts] = await run<[DatabaseFacts]>(db)`
    select current_setting('server_version') as version,
    pg_database_size(current_database())::float8 as bytes,
    clock_timestamp() as clock,
    (select count(*)::int from pg_stat_activity where datname is not null) as connections,
    current_setting('max_connections')::int as "maxConnections"`
  return facts
}

export interface SchemaFacts {
  version: number
  name: string
  applied_at: string
}

/** The last migration. Undefined: the database is empty. */
export async function selectSchema(db: Db): Promise<SchemaFacts | undefined> {
  const missingTable = '42P01'
  try {
    return await runOne<SchemaFacts>(db)`
      select version, name, applied_at from schema_migration order by version desc limit 1`
  } catch (error) {
    if (sqlState(error) === missingTable) return undefined
    throw error
  }
}

export interface Usage {
  leads: number
  /** About what the workspace takes on disk, with its indexes. Null: not known. */
  bytes: number | null
}

/** Pages that are read of each table. */
const sampledPages = 500

/**
 * By workspace. PostgreSQL knows the size of a table, but not whose rows it has: that is estimated from a sample. On a
 * cluster, the sizes of tables are known only to their servers.
 */
export async function selectUsage(db: Pool): Promise<Map<string, Usage>> {
  const counts = await run<{ id_space: string; leads: number }[]>(db)`
    ${acrossWorkspaces} select id_space, sum(count)::int as leads from lead_count
    group by id_space`
  const bytes = (await isOnCluster(db)) ? undefined : await selectBytes(db)
  const leads = new Map(counts.map((row) => [row.id_space, row.leads]))
  const ids = new Set([...leads.keys(), ...(bytes?.keys() ?? [])])
  return new Map(
    [...ids].map((id) => [id, { leads: leads.get(id) ?? 0, bytes: bytes?.get(id) ?? null }]),
  )
}

async function selectBytes(db: Pool): Promise<Map<string, number>> {
  const names = await selectTenantTables(db)
  const tables = await run<{ name: string; bytes: number; percent: number }[]>(db)`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
      least(100, 100.0 * ${sampledPages}::int / greatest(relpages, 1))::float8 as percent
    from pg_class where oid = any(${names}::text[]::regclass[])`
  const shares = tables.map(
    ({ name, bytes, percent }): Sql => sql`
      select id_space, count(*) / sum(count(*)) over () * ${bytes}::float8 as bytes
      from ${raw(`"${name}"`)} tablesample system (${percent}::float8) group by id_space`,
  )
  const rows = await run<{ id_space: string; bytes: number }[]>(db)`
    ${acrossWorkspaces} select id_space, sum(bytes)::float8 as bytes
    from (${join(shares, ' union all ')}) shares group by id_space`
  return new Map(rows.map(({ id_space, bytes }) => [id_space, bytes]))
}

/** This is the only workspace, and it has no leads, not even deleted ones. */
export async function isNewInstallation(db: Db, space: string): Promise<boolean> {
  const [row] = await run<[{ is_empty: boolean }]>(db)`
    select not exists (select from lead where id_space = ${space}) as is_empty`
  return row.is_empty && (await selectSpaces(db)).length === 1
}

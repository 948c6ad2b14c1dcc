// What a backup reads from the database catalog. It finds all tables there, so tables of a new
// migration are backed up without a change to this code.

import type { Db } from '../db/driver.ts'
import { withoutLockLimit } from '../db/lock-limit.ts'
import { acrossWorkspaces, run, sql } from '../db/sql.ts'
import { BackupError, type BackupSpace, type CountedTable, quote, type Table } from './format.ts'

/**
 * Sets everything that a backup depends on: formats of values must not depend on the server's settings,
 * long waits must not fail, and hidden rows (row level security) must be an error. Otherwise the backup
 * would silently miss rows.
 */
export async function useOwnSettings(tx: Db): Promise<void> {
  await tx.unsafe(withoutLockLimit)
  await tx.unsafe(`
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local extra_float_digits = 1;
    set local bytea_output = 'hex';
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local row_security = off`)
}

/** Every table but the list of migrations, parents before children. Generated columns are omitted. */
export async function selectTables(db: Db): Promise<Table[]> {
  const found = await run<(Table & { parents: string[] })[]>(
    db,
    sql`
    select relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      array(
        select parent.relname::text from pg_constraint
        join pg_class parent on parent.oid = confrelid
        where conrelid = c.oid and contype = 'f' and confrelid <> c.oid
      ) as parents
    from pg_class c
    where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_migration'
      -- Not the tables of extensions: the extension creates them.
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e'
      )
    order by relname`,
  )
  return parentsFirst([...found])
}

export function parentsFirst(tables: (Table & { parents: string[] })[]): Table[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(({ parents }) => !parents.some((name) => left.has(name)))
    if (!next) {
      throw new BackupError(
        `The tables ${[...left.keys()].join(', ')} reference each other in a cycle, so they cannot be restored in any order.`,
      )
    }
    left.delete(next.name)
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}

export type LockMode = 'access share' | 'access exclusive'

export async function lockTables(tx: Db, tables: Table[], mode: LockMode): Promise<void> {
  const names = tables.map(({ name }) => quote(name)).join(', ')
  if (names) await tx.unsafe(`lock table ${names} in ${mode} mode`)
}

/** `where` selects some of the rows of a table. */
export async function countTables(
  tx: Db,
  tables: Table[],
  where: (table: Table) => string = () => 'true',
): Promise<CountedTable[]> {
  const counted: CountedTable[] = []
  for (const table of tables) {
    const [row] = await tx.unsafe<{ rows: number }[]>(
      `select count(*) as rows from ${quote(table.name)} where ${where(table)}`,
    )
    counted.push({ ...table, rows: row?.rows ?? 0 })
  }
  return counted
}

/** The name of the first of these tables that has a row. */
export async function findFilled(db: Db, tables: Table[]): Promise<string | undefined> {
  for (const { name } of tables) {
    const rows = await db.unsafe(`select from ${quote(name)} limit 1`)
    if (rows.length > 0) return name
  }
  return undefined
}

/** The workspaces, in a schema of any release. */
export function selectSpaceNames(db: Db): Promise<BackupSpace[]> {
  return run<BackupSpace[]>(db)`
    ${acrossWorkspaces} select id_space as id, name from space order by created_at, id_space`
}

export async function tableExists(db: Db, name: string): Promise<boolean> {
  const [row] = await run<{ known: boolean }[]>(db)`
    select to_regclass(${quote(name)}) is not null as known`
  return row?.known === true
}

export async function selectMigrations(db: Db): Promise<{ name: string; checksum: string }[]> {
  return [
    ...(await run<{ name: string; checksum: string }[]>(db)`
    select name, checksum from schema_migration order by version`),
  ]
}

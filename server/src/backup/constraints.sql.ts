// Rows go in several times faster when indexes are built and foreign keys are checked once, in the
// end, and not row by row. Both come back exactly as they were, or the whole restore is undone.

import type { Db } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'

interface Piece {
  drop: string
  create: string
}

/** Takes indexes and foreign keys off these tables. Answers how to put them back. */
export async function dropConstraints(tx: Db, tables: string[]): Promise<string[]> {
  // A cluster does not take such changes in one transaction with the rows.
  const cluster = await run(tx, sql`select from pg_extension where extname = 'citus'`)
  if (cluster.length > 0) return []
  const foreignKeys = await run<Piece[]>(
    tx,
    sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s',
        conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype = 'f' and conrelid in (select to_regclass(quote_ident(unnest(${tables}::text[]))))
    order by conname`,
  )
  // Those of primary keys and unique constraints stay: foreign keys rely on them.
  const indexes = await run<Piece[]>(
    tx,
    sql`
    select format('drop index %s', indexrelid::regclass) as drop,
      pg_get_indexdef(indexrelid) as create
    from pg_index
    where indrelid in (select to_regclass(quote_ident(unnest(${tables}::text[]))))
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid`,
  )
  for (const { drop } of [...foreignKeys, ...indexes]) await tx.unsafe(drop)
  return [...indexes, ...foreignKeys].map(({ create }) => create)
}

export async function createConstraints(tx: Db, statements: string[]): Promise<void> {
  await tx.unsafe(`set local maintenance_work_mem = '256MB'`)
  for (const statement of statements) await tx.unsafe(statement)
}

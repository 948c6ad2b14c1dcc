// Drops indexes and foreign keys before a restore loads its rows, and creates them again afterward.
// Building and checking them once is several times faster than row by row. All this is part of the
// transaction of the restore: if creating them fails, the whole restore is rolled back.

import { isDistributed } from '../db/distribute.sql.ts'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'

interface Piece {
  drop: string
  create: string
}

/** Drops the indexes and foreign keys of these tables. Returns the statements that recreate them. */
export async function dropConstraints(tx: Db, tables: string[]): Promise<string[]> {
  // A distributed database cannot combine such changes and rows in one transaction.
  if (await isDistributed(tx)) return []
  // Checks that are not valid have been added later, and older rows need not satisfy them.
  const constraints = await run<Piece[]>(tx)`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s',
        conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint
    where (contype = 'f' or contype = 'c' and not convalidated)
      and conrelid in (select to_regclass(quote_ident(unnest(${tables}::text[]))))
    order by conname`
  // Indexes of primary keys and unique constraints stay, because foreign keys need them.
  const indexes = await run<Piece[]>(tx)`
    select format('drop index %s', indexrelid::regclass) as drop,
      pg_get_indexdef(indexrelid) as create
    from pg_index
    where indrelid in (select to_regclass(quote_ident(unnest(${tables}::text[]))))
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid`
  for (const { drop } of [...constraints, ...indexes]) await tx.unsafe(drop)
  return [...indexes, ...constraints].map(({ create }) => create)
}

export async function createConstraints(tx: Db, statements: string[]): Promise<void> {
  await tx.unsafe(`set local maintenance_work_mem = '256MB'`)
  for (const statement of statements) await tx.unsafe(statement)
}

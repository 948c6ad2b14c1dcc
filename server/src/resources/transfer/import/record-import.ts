// An import is an operation: it is listed, and it can be taken back.
import { type Db, type Pool, transaction } from '../../../db/driver.ts'
import type { Author } from '../../../feed/author.ts'
import { beginOperation, changeOperation, selectOperation } from '../../../feed/operation.sql.ts'
import type { ImportOptions, ImportState } from './import-leads.ts'

/** An import that has written nothing for this long has been interrupted. */
const leaseMs = 5 * 60_000

const leaseOf = ({ now }: Author) => new Date(now.getTime() + leaseMs)

/** Begins the operation, or goes on with that of an interrupted import. */
export function beginImport(
  pool: Pool,
  by: Author,
  id: string,
  { upsertBy, lists, tags, map, format }: ImportOptions,
): Promise<void> {
  return transaction(pool, async (tx) => {
    const known = await selectOperation(tx, by.space, id)
    const leaseUntil = leaseOf(by)
    if (known) {
      const lease_until = leaseUntil.toISOString()
      await changeOperation(tx, by.space, id, { state: 'running', lease_until })
    } else {
      const data = { format, lists, tags, map, ...(upsertBy && { upsert_by: upsertBy }) }
      await beginOperation(tx, by, 'import', { data, id, leaseUntil })
    }
  })
}

const countsOf = ({ created, updated, companies }: ImportState) => ({
  count: created + updated + companies,
  changed: created + updated + companies,
})

/** In the transaction of a batch. */
export function keepImport(tx: Db, by: Author, state: ImportState): Promise<void> {
  const lease_until = leaseOf(by).toISOString()
  return changeOperation(tx, by.space, state.id, { lease_until, ...countsOf(state) })
}

export function endImport(db: Db, by: Author, state: ImportState): Promise<void> {
  const done_at = by.now.toISOString()
  return changeOperation(db, by.space, state.id, { state: 'done', done_at, ...countsOf(state) })
}

/** The import did not reach its end. It may go on later. */
export function stopImport(db: Db, { space, now }: Author, { id }: ImportState): Promise<void> {
  return changeOperation(db, space, id, { state: 'stopped', done_at: now.toISOString() })
}

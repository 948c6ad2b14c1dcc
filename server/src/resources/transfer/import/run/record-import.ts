// An import is an operation: it is listed, and it can be undone.
import { type Db, type Pool, transaction } from '../../../../db/driver.ts'
import { jsonb, sql } from '../../../../db/sql.ts'
import type { Author } from '../../../../feed/author.ts'
import { tellFinished, tellOwners } from '../../../../feed/notify.sql.ts'
import {
  beginOperation,
  changeOperation,
  countChanged,
  selectOperation,
} from '../../../operations/store/operation.sql.ts'

/** How far an import is. */
interface State {
  id: string
  created: number
  updated: number
  companies: number
  /** The file says who owns its leads. */
  hasOwners: boolean
}

/** What was asked for, as the operation tells it. */
interface Asked {
  format: string
  map: [header: string, field: string][]
  upsertBy: string | undefined
  lists: string[]
  tags: string[]
}

/** An import that has written nothing for this long has been interrupted. */
const leaseMs = 5 * 60_000

const leaseOf = ({ now }: Author) => new Date(now.getTime() + leaseMs)

/** Begins the operation, or continues with that of an interrupted import. Returns the companies so far. */
export function beginImport(
  pool: Pool,
  by: Author,
  id: string,
  { upsertBy, lists, tags, map, format }: Asked,
): Promise<number> {
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
    return Number(known?.data?.companies ?? 0)
  })
}

const countsOf = ({ created, updated, companies }: State) => ({
  count: created + updated + companies,
  changed: created + updated + companies,
  // The same numbers as in the response.
  data: sql`data || ${jsonb({ created, updated, companies })}`,
})

/** In the transaction of a batch. */
export function keepImport(tx: Db, by: Author, state: State): Promise<void> {
  const lease_until = leaseOf(by).toISOString()
  return changeOperation(tx, by.space, state.id, { lease_until, ...countsOf(state) })
}

export function endImport(tx: Db, by: Author, state: State): Promise<void> {
  return finish(tx, by, state, 'done')
}

/** The import did not reach its end. It may continue later. */
export function stopImport(tx: Db, by: Author, state: State): Promise<void> {
  return finish(tx, by, state, 'stopped')
}

async function finish(
  tx: Db,
  by: Author,
  imported: State,
  state: 'done' | 'stopped',
): Promise<void> {
  const { id, updated, hasOwners } = imported
  const counts = countsOf(imported)
  // Several rows may be of one lead, and some have nothing new.
  const changed = updated > 0 ? await countChanged(tx, by.space, id) : counts.changed
  const done_at = by.now.toISOString()
  await changeOperation(tx, by.space, id, { state, done_at, ...counts, changed })
  await tellFinished(tx, by, id, changed)
  if (hasOwners) await tellOwners(tx, by, id)
}

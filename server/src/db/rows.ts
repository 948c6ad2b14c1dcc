// Row types and column lists from the shape of a resource, so that the shape is the only list of its
// columns.
import type { Static, TObject } from 'typebox'
import type { Db } from './driver.ts'
import { columnNames, join, raw, run, type Sql, sql } from './sql.ts'

/** A row of the shape's table. `Nullable` columns can be null; a response has "" instead. */
export type RowOf<S extends TObject, Nullable extends keyof Static<S> = never> = {
  [K in keyof Static<S>]: K extends Nullable ? Static<S>[K] | null : Static<S>[K]
}

/** What a deleted row was. */
export interface Deleted {
  id: string
  name: string
}

export function columnsOf(shape: TObject): Sql {
  return columnNames(Object.keys(shape.properties))
}

/**
 * Inserts a row after all rows for which `where` holds: its "order" is one more than theirs, unless the
 * row has one.
 */
export async function insertLast<Row>(
  db: Db,
  table: string,
  row: object & { order?: number | undefined },
  where: Sql,
  returning: Sql,
): Promise<Row> {
  const { order, ...fields } = row
  const values = Object.values(fields).map((value) => sql`${value}`)
  const [inserted] = await run<object[]>(db)`
    insert into ${raw(table)} (${columnNames(Object.keys(fields))}, "order")
    select ${join(values, ', ')}, coalesce(${order ?? null}::float8, max("order") + 1, 0)
    from ${raw(table)} where ${where}
    returning ${returning}`
  return inserted as Row
}

// The rejected rows of imports over HTTP, in pieces.
import type { Db } from '../../../../db/driver.ts'
import { run } from '../../../../db/sql.ts'

/** The header of the file is the piece of this row. */
export const headerRow = 0

export async function insertRejected(
  db: Db,
  space: string,
  id: string,
  row: number,
  content: Buffer,
): Promise<void> {
  await run(db)`insert into import_rejected (id_space, id_import, row_number, content)
    select ${space}::uuid, ${id}::uuid, ${row}::bigint, ${content}::bytea
    on conflict (id_space, id_import, row_number) do nothing`
}

/** The pieces of an import, one after the other: together they may be large. */
export async function* selectRejected(db: Db, space: string, id: string): AsyncGenerator<Buffer> {
  for (let after = -1; ; ) {
    const [piece] = await run<{ row_number: number; content: Buffer }[]>(db)`
      select row_number::float8 as row_number, content from import_rejected
      where id_space = ${space} and id_import = ${id} and row_number > ${after}
      order by row_number limit 1`
    if (!piece) return
    yield piece.content
    after = piece.row_number
  }
}

/** Forgets the rows of imports that were last at work before this time. */
export async function deleteRejected(db: Db, before: Date): Promise<void> {
  const old = await run<{ id_space: string; ids: string[] }[]>(db)`
    select id_space, array_agg(id) as ids from import_progress
    where updated_at < ${before} and rejected_bytes > 0 group by id_space`
  for (const { id_space, ids } of old) {
    await run(db)`delete from import_rejected
      where id_space = ${id_space} and id_import = any(${ids}::uuid[])`
  }
}

import { rowValues, run, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import type { Service } from './harness.ts'

/** Inserts a lead without relations, for tests of other resources. Returns its id. */
export async function insertLead(
  { db, clock }: Service,
  { id_space }: { id_space: string },
  fields: object = {},
): Promise<string> {
  const id = newId()
  const row = { id_space, id, created_at: clock.now.toISOString(), ...fields }
  await run(db, sql`insert into lead ${rowValues(row)}`)
  return id
}

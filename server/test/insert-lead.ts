import type { Db } from '../src/db/driver.ts'
import { rowValues, run, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { addSearch } from '../src/resources/leads/leads.search.sql.ts'
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
  await makeSearchable(db, id_space)
  return id
}

/** Lets the search find the leads of a workspace that were inserted by SQL. */
export function makeSearchable(db: Db, id_space: string): Promise<void> {
  return addSearch(
    db,
    id_space,
    sql`array(select id from lead where id_space = ${id_space}
      except select id_lead from lead_search where id_space = ${id_space})`,
  )
}

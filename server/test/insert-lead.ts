import { searchedFields } from '@rapport/contract/leads/fields'
import type { Db } from '../src/db/driver.ts'
import { columnNames, rowsOf, rowValues, run, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { searchTextOf } from '../src/resources/leads/search/text.sql.ts'
import type { Service } from './harness.ts'

/** Inserts a lead without relations, for tests of other resources. Returns its id. */
export async function insertLead(
  { db, clock }: Service,
  { id_space }: { id_space: string },
  fields: object = {},
): Promise<string> {
  const id = newId()
  const row = { id_space, id, created_at: clock.now.toISOString(), ...fields }
  await run(db)`insert into lead ${rowValues(row)}`
  await makeSearchable(db, id_space)
  return id
}

const firstId = '00000000-0000-0000-0000-000000000000'
/** How many leads are in memory at a time. */
const batch = 20_000

/**
 * Lets the search find the leads of a workspace that were inserted by SQL. NOT IN, not NOT EXISTS: without statistics,
 * which tables have only after a while, PostgreSQL may compare each lead with each text.
 */
export async function makeSearchable(db: Db, id_space: string): Promise<void> {
  for (let after = firstId, isMore = true; isMore; ) {
    const leads = await run(db)`select id, ${columnNames(searchedFields)} from lead
        where id_space = ${id_space} and id > ${after} and id not in (
          select id_lead from lead_search where lead_search.id_space = ${id_space})
        order by id limit ${batch}`
    const texts = leads.map((lead) => ({ id: lead.id, text: searchTextOf(lead) }))
    await run(db)`insert into lead_search (id_space, id_lead, text)
        select ${id_space}::uuid, id, text from ${rowsOf(texts, sql`id uuid, text text`)}`
    after = leads.at(-1)?.id as string
    isMore = leads.length === batch
  }
}

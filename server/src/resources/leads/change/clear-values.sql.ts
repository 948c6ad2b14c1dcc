// Removes the values of a deleted attribute, or of deleted options, from all leads.
import type { Db } from '../../../db/driver.ts'
import { run, type Sql, sql } from '../../../db/sql.ts'

/** Every transaction locks leads in the order of their ids, so that two never deadlock. */
async function lockLeads(db: Db, space: string, affected: Sql): Promise<void> {
  await run(db)`select count(*) from (
      select id from lead where id_space = ${space} and ${affected}
      order by id for no key update) locked`
}

/** Removes the attribute's value from every lead, deleted ones too. */
export async function clearValues(db: Db, space: string, attribute: string): Promise<void> {
  const affected = sql`attributes ? ${attribute}::text`
  await lockLeads(db, space, affected)
  await run(db)`update lead set attributes = attributes - ${attribute}::text
    where id_space = ${space} and ${affected}`
}

/**
 * Removes the options from every lead's value of the attribute. The new value is computed from the row
 * at the moment of the update, so that changes of other requests to the same leads are kept.
 */
export async function clearOptions(
  db: Db,
  space: string,
  attribute: string,
  options: string[],
): Promise<void> {
  const value = sql`attributes -> ${attribute}::text`
  // ?| works for an array of options and for a single option.
  const affected = sql`${value} ?| ${options}::text[]`
  await lockLeads(db, space, affected)
  await run(db)`update lead set attributes = case
      when jsonb_typeof(${value}) = 'array' and (${value}) - ${options}::text[] <> '[]'::jsonb
      then jsonb_set(attributes, array[${attribute}::text], (${value}) - ${options}::text[])
      else attributes - ${attribute}::text
    end
    where id_space = ${space} and ${affected}`
}

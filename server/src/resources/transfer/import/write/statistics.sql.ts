// What the planner of PostgreSQL knows of the tables that an import fills.
import { leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../../../db/driver.ts'
import { raw, run } from '../../../../db/sql.ts'

const tables = [
  'lead',
  'lead_search',
  ...Object.values(leadRelations).map(({ join }) => join),
].join(', ')

/**
 * Looks at the tables again. Autovacuum does so too, a minute later. Until then a table counts as small as it
 * was: a statement planned for ten leads takes minutes for 100,000, and a search of a common word compares
 * every match with every other. A table that another import is looking at right now is left to that one.
 */
export async function renewStatistics(db: Db): Promise<void> {
  await run(db)`analyze (skip_locked) ${raw(tables)}`
}

// Which leads an event concerns: those of the note or reminder that changed, or else the changed leads.
import { type Sql, sql } from '../db/sql.ts'

/** The event concerns leads. `concernedLeads` are their ids. */
export const concernsLeads = sql`(leads is not null or type like 'lead.%')`
export const concernedLeads = sql`coalesce(leads, ids)`

/** The event concerns one of these leads. Each of the two cases has an index of the table `event`. */
export function concernsAny(wanted: Sql): Sql {
  return sql`${concernsLeads} and (
    cardinality(${concernedLeads}) = 1 and (${concernedLeads})[1] = any(${wanted})
    or cardinality(${concernedLeads}) > 1 and ${concernedLeads} && ${wanted})`
}

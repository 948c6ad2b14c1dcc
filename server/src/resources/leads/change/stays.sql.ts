// How long leads were in their stages. A current stay is in lead_status, an ended one in lead_stage.
import { type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'

/**
 * A part of a statement: these stays are over. `stays` is a query with the columns id_lead, id_status and
 * entered_at. It comes before the part that changes the statuses.
 */
export const endStays = ({ space, now }: Author, stays: Sql): Sql => sql`ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select ${space}::uuid, stay.id_lead, stay.id_status, stay.entered_at, ${now.toISOString()}::timestamptz
  from (${stays}) stay
  on conflict do nothing)`

// When an operation is undone, the stays that it ended go on. The parts belong together, in this order, with the
// parts `wanted` (id_lead, id_record) before them and `added`, the same for those that came back, among them.

/** The last stay of each lead in the stage that comes back, if it was over since then. */
export const lastStays = (space: string, since: string): Sql => sql`stay as materialized (
  select distinct on (lead_stage.id_lead, lead_stage.id_status)
    lead_stage.id_lead, lead_stage.id_status, lead_stage.entered_at, lead_stage.left_at
  from wanted join lead_stage on lead_stage.id_space = ${space}
    and lead_stage.id_lead = wanted.id_lead and lead_stage.id_status = wanted.id_record
    and lead_stage.left_at >= ${since}::timestamptz
  order by lead_stage.id_lead, lead_stage.id_status, lead_stage.left_at desc)`

/** When the stay began, for the row of lead_status. */
export const enteredAgain = ({ now }: Author): Sql =>
  sql`case when stay.left_at is null then ${now.toISOString()}::timestamptz else stay.entered_at end`

export const resumeStays = (space: string): Sql => sql`resumed as (
  delete from lead_stage where id_space = ${space} and (id_lead, id_status, left_at) in (
    select stay.id_lead, stay.id_status, stay.left_at from stay
    join added on added.id_lead = stay.id_lead and added.id_record = stay.id_status))`

// Statements about what has become of leads in a period. Each counts the leads that the condition of the same kind
// selects in the filter.
import { badRequest, type Issue } from '@rapport/contract/errors'
import type { HistoryQuery, NoteCounts, StageTimes } from '@rapport/contract/leads/stats'
import type { Static } from 'typebox'
import type { Db } from '../../../db/driver.ts'
import { raw, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { allOf, everything, type Scope } from '../../../filter/compile.ts'
import { notedAt, within } from '../list/filter-by-history.ts'

type Period = Pick<Static<typeof HistoryQuery>, 'after' | 'before'>

/** The condition that the time is in the period. Throws an error if a day is none. */
function isWithin(scope: Scope, time: Sql, period: Period): Sql {
  const faults: Issue[] = []
  const conditions = within(time, period, {
    context: { ...scope, attribute: () => undefined },
    path: [],
    fault: (fault) => faults.push(fault),
  })
  if (faults.length > 0) throw badRequest(faults)
  return allOf(conditions) ?? everything
}

const selected = ({ space }: Scope, condition: Sql) => sql`selected as materialized (
  select lead.id from lead
  where lead.id_space = ${space} and not lead.is_deleted and (${condition}))`

const inDays = (seconds: Sql) => sql`round((${seconds} / 86400)::numeric, 2)::float8`
const median = (seconds: Sql) =>
  inDays(sql`percentile_cont(0.5) within group (order by ${seconds})`)

export function selectStageTimes(
  db: Db,
  scope: Scope,
  condition: Sql,
  period: Period,
): Promise<Static<typeof StageTimes>['stages']> {
  const { space, now } = scope
  const stayed = sql`extract(epoch from lead_stage.left_at - lead_stage.entered_at)`
  const since = sql`extract(epoch from ${now.toISOString()}::timestamptz - lead_status.entered_at)`
  return runUnprepared(
    db,
    sql`with ${selected(scope, condition)},
      ended as materialized (
        select lead_stage.id_status, count(distinct lead_stage.id_lead)::int as leads,
          ${median(stayed)} as median, ${inDays(sql`avg(${stayed})`)} as average
        from lead_stage join selected on selected.id = lead_stage.id_lead
        where lead_stage.id_space = ${space} and ${isWithin(scope, raw('lead_stage.left_at'), period)}
        group by lead_stage.id_status),
      staying as materialized (
        select lead_status.id_status, count(*)::int as leads, ${median(since)} as median
        from lead_status join selected on selected.id = lead_status.id_lead
        where lead_status.id_space = ${space}
        group by lead_status.id_status)
      select status.id as id_status, coalesce(ended.leads, 0) as "left", ended.median, ended.average,
        coalesce(staying.leads, 0) as now, staying.median as median_now
      from status
      left join ended on ended.id_status = status.id
      left join staying on staying.id_status = status.id
      where status.id_space = ${space} and (ended.leads > 0 or staying.leads > 0)
      order by status.id_list nulls first, status."order", status.id`,
  )
}

export function countNotes(
  db: Db,
  scope: Scope,
  condition: Sql,
  period: Period,
): Promise<Static<typeof NoteCounts>['counts']> {
  return runUnprepared(
    db,
    sql`with ${selected(scope, condition)}
      select note.id_author as id_member, note.kind, count(*)::int as count,
        count(distinct note.id_lead)::int as leads
      from note join selected on selected.id = note.id_lead
      where note.id_space = ${scope.space} and not note.is_deleted
        and ${isWithin(scope, notedAt, period)}
      group by grouping sets ((note.id_author, note.kind), (note.id_author))
      order by note.id_author nulls last, note.kind nulls first`,
  )
}

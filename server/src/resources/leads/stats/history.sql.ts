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

/** Of seconds. */
const inDays = (seconds: Sql) => sql`round((${seconds} / 86400)::numeric, 2)::float8`
/** As float8: numbers of another type take twice the time to sort. */
const secondsOf = (interval: Sql) => sql`date_part('epoch', ${interval})`

export interface History extends Period {
  /** The condition that a lead with this id is selected. */
  isSelected: (id: Sql) => Sql
}

export function selectStageTimes(db: Db, scope: Scope, { isSelected, ...period }: History) {
  const { space, now } = scope
  const stayed = secondsOf(sql`lead_stage.left_at - lead_stage.entered_at`)
  const stays = sql`from lead_stage
    where lead_stage.id_space = ${space} and ${isWithin(scope, raw('lead_stage.left_at'), period)}
      and ${isSelected(raw('lead_stage.id_lead'))}`
  // The stays that go on are many. The middle one of their beginnings is found without computing all their times.
  const since = sql`percentile_disc(0.5) within group (order by lead_status.entered_at)`
  return runUnprepared<Static<typeof StageTimes>['stages']>(db)`
    with ended as materialized (
      select lead_stage.id_status, ${inDays(sql`avg(${stayed})`)} as average,
        ${inDays(sql`percentile_cont(0.5) within group (order by ${stayed})`)} as median
      ${stays} group by lead_stage.id_status),
    leaving as materialized (
      select id_status, count(*)::int as leads
      from (select distinct lead_stage.id_status, lead_stage.id_lead ${stays}) lead
      group by id_status),
    staying as materialized (
      select lead_status.id_status, count(*)::int as leads,
        ${inDays(secondsOf(sql`${now.toISOString()}::timestamptz - ${since}`))} as median
      from lead_status
      where lead_status.id_space = ${space} and ${isSelected(raw('lead_status.id_lead'))}
      group by lead_status.id_status)
    select status.id as id_status, coalesce(leaving.leads, 0) as "left", ended.median, ended.average,
      coalesce(staying.leads, 0) as now, staying.median as median_now
    from status
    left join ended on ended.id_status = status.id
    left join leaving on leaving.id_status = status.id
    left join staying on staying.id_status = status.id
    where status.id_space = ${space} and (leaving.leads > 0 or staying.leads > 0)
    order by status.id_list nulls first, status."order", status.id`
}

export function countNotes(db: Db, scope: Scope, { isSelected, ...period }: History) {
  return runUnprepared<Static<typeof NoteCounts>['counts']>(db)`
    select note.id_author as id_member, note.kind, count(*)::int as count,
      count(distinct note.id_lead)::int as leads
    from note
    where note.id_space = ${scope.space} and not note.is_deleted
      and ${isWithin(scope, notedAt, period)} and ${isSelected(raw('note.id_lead'))}
    group by grouping sets ((note.id_author, note.kind), (note.id_author))
    order by note.id_author nulls last, note.kind nulls first`
}

// The statement of POST /leads/stats. PostgreSQL builds the JSON, because the sums can have more digits than
// a number of JavaScript.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import { type StatGroup, statGroups } from '@rapport/contract/leads/stats'
import { maxDecimals } from '@rapport/contract/money.values'
import type { Db } from '../../../db/driver.ts'
import { raw, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import type { Scope } from '../../../filter/compile.ts'
import { hasText } from '../../../filter/fields.ts'
import { changes } from '../list/filter-by-change.ts'
import { countingStatuses } from '../list/list.sql.ts'

export interface Question {
  /** What `filter` selects, as SQL. */
  condition: Sql
  filter: LeadFilter
  groupBy: StatGroup
  /** An attribute of type DATE, whose months are the groups. */
  attribute: string | undefined
}

export async function selectStats(
  db: Db,
  scope: Scope,
  { condition, filter, groupBy, attribute }: Question,
): Promise<string> {
  const { space } = scope
  const { period, key, before, joins, rate, sort } = groupingOf(scope, filter, groupBy, attribute)
  const [row] = await runUnprepared<[{ json: string }]>(db)`with selected as materialized (
      select lead.id, lead.contract_currency, lead.contract_value, ${period} as period
      from lead
      where lead.id_space = ${space} and not lead.is_deleted and (${condition})),
    ranked as materialized (
      select id, success_rate::numeric as rate, row_number() over (order by "order", id) as rank
      from status where id_space = ${space}),
    ${before ?? sql``}
    -- Most leads have no value. They are counted, and left out of everything else.
    valued as materialized (
      select lead.*, coalesce(first_status.rate, 0) as rate
      from (
        select selected.*, min(ranked.rank) as rank
        from selected
        left join lead_status on lead_status.id_space = ${space} and lead_status.id_lead = selected.id
          and ${countingStatuses(filter)}
        left join ranked on ranked.id = lead_status.id_status
        where selected.contract_value is not null
        group by selected.id, selected.contract_currency, selected.contract_value, selected.period) lead
      left join ranked first_status on first_status.rank = lead.rank),
    counted as materialized (
      select ${key} as key, count(*) as count from selected lead ${joins} group by 1),
    summed as materialized (
      select ${key} as key, ${sums(rate)} from valued lead ${joins} group by 1, currency),
    -- Without a currency of the workspace, the one of most of these leads.
    base as materialized (
      select coalesce(nullif(space.currency, ''), (
        select mode() within group (order by contract_currency) from valued)) as currency
      from space where space.id_space = ${space}),
    -- A value without a currency is in that of the workspace.
    factor as materialized (
      select rate.currency, rate.rate::numeric as factor from rate, base
      where rate.id_space = ${space} and rate.base = base.currency
      union select currency, 1 from base
      union select null, 1)
    select json_build_object(
      'group_by', ${groupBy}::text,
      'groups', (
        select coalesce(json_agg(json_build_object(
          'key', counted.key, 'count', counted.count,
          'values', coalesce(money.values, '[]'), 'sum', money.sum) order by ${sort}), '[]')
        from counted
        cross join lateral (
          select ${money} from summed ${inBase}
          where summed.key is not distinct from counted.key) money),
      'total', (
        select json_build_object('count', (select count(*) from selected),
          'values', coalesce(money.values, '[]'), 'sum', money.sum)
        from (
          select ${money} from (
            select ${sums(sql`lead.rate`)} from valued lead group by currency) summed ${inBase}) money)
    )::text as json`
  return row.json
}

const sums = (rate: Sql) => sql`contract_currency as currency, count(*) as count,
  sum(contract_value) as value, sum(contract_value * ${rate}) * 0.01 as weighted`

const inBase = sql`
  left join factor on factor.currency is not distinct from summed.currency`

/** In the smallest part of any currency. */
const converted = (value: Sql) =>
  sql`trim_scale(round(coalesce(sum(${value} * factor), 0), ${maxDecimals}::int))`

/** Of the rows of `summed`, one for each currency: each of them, and all as one number. */
const money = sql`
  json_agg(json_build_object('currency', summed.currency, 'count', summed.count,
      'value', trim_scale(summed.value), 'weighted', trim_scale(summed.weighted))
    order by summed.currency nulls last) as values,
  json_build_object(
    'currency', (select currency from base),
    'value', ${converted(sql`summed.value`)},
    'weighted', ${converted(sql`summed.weighted`)},
    'count', coalesce(sum(summed.count) filter (where factor is not null), 0),
    'converted', coalesce(sum(summed.count) filter (
      where factor is not null and summed.currency <> (select currency from base)), 0),
    'left_out', coalesce(json_agg(json_build_object('currency', summed.currency, 'count', summed.count)
      order by summed.currency) filter (where factor is null), '[]')) as sum`

/** Filters ignore the case of a text, so texts that differ in nothing else are one. */
const lostReason = sql`case when ${hasText(raw('lead.lost_reason'))}
  then min(lead.lost_reason) over (partition by lower(lead.lost_reason)) end`

const noPeriod = sql`null::text`

interface Grouping {
  /** The month, week or so of a lead, from the table `lead`. */
  period: Sql
  /** What the groups of a lead are called, and the joins with `lead` that it needs. */
  key: Sql
  joins: Sql
  /** A query that the joins need, with its name and a comma. */
  before?: Sql
  /** The success rate that weighs a lead of `valued`. */
  rate: Sql
  /** The order of the groups. */
  sort: Sql
}

function groupingOf(
  scope: Scope,
  filter: LeadFilter,
  groupBy: StatGroup,
  attribute: string | undefined,
): Grouping {
  const { space } = scope
  const relation = statGroups[groupBy]
  if (relation) return byRelation(space, relation, filter)
  if (groupBy === 'changed_by') return byChange(scope, filter)
  if (groupBy === 'lost_reason') return byPeriod(lostReason)
  if (attribute !== undefined) return byPeriod(sql`left(lead.attributes ->> ${attribute}, 7)`)
  const zone = sql`(select time_zone from space where id_space = ${space})`
  const created = sql`lead.created_at at time zone ${zone}`
  return byPeriod(
    groupBy === 'week'
      ? sql`to_char(date_trunc('week', ${created}), 'YYYY-MM-DD')`
      : sql`to_char(${created}, 'YYYY-MM')`,
  )
}

function byPeriod(period: Sql): Grouping {
  return {
    period,
    key: sql`lead.period`,
    joins: sql``,
    rate: sql`lead.rate`,
    sort: sql`counted.key`,
  }
}

/** The condition has checked the filter already, so a fault cannot occur here. */
function byChange({ space, now }: Scope, { changed = {} }: LeadFilter): Grouping {
  const place = { context: { space, now, attribute: () => undefined }, path: [], fault: () => {} }
  return {
    period: noPeriod,
    key: sql`change.id_member`,
    // Without statistics PostgreSQL would read the changes again for each lead.
    before: sql`change as materialized (${changes(changed, place)}),`,
    joins: sql`left join change on change.id_lead = lead.id`,
    rate: sql`lead.rate`,
    sort: sql`
      (select name from member where id_space = ${space} and id = counted.key) nulls last, counted.key`,
  }
}

function byRelation(space: string, name: LeadRelation, filter: LeadFilter): Grouping {
  const { join: table, column, record, sort } = leadRelations[name]
  const only = name === 'status' ? countingStatuses(filter) : sql`true`
  return {
    period: noPeriod,
    key: raw(`${table}.${column}`),
    joins: sql`
      left join ${raw(table)}
        on ${raw(table)}.id_space = ${space} and ${raw(table)}.id_lead = lead.id and ${only}`,
    rate: rateIn(space, name),
    sort: sql`
      (select ${raw(`"${sort}"`)} from ${raw(record)} where id_space = ${space} and id = counted.key)
        nulls last, counted.key`,
  }
}

/** In a group that is a status or a list, the status of that group weighs. */
function rateIn(space: string, name: LeadRelation): Sql {
  if (name === 'status') {
    return sql`coalesce((select rate from ranked where ranked.id = lead_status.id_status), 0)`
  }
  if (name !== 'lists') return sql`lead.rate`
  return sql`coalesce((
    select ranked.rate from lead_status join ranked on ranked.id = lead_status.id_status
    where lead_status.id_space = ${space} and lead_status.id_lead = lead.id
      and lead_status.id_list = lead_list.id_list), lead.rate)`
}

-- selectStats
with selected as materialized (
  select lead.id, lead.contract_currency, lead.contract_value, null::text as period
  from lead
  where lead.id_space = $1 and not lead.is_deleted and ((lead.is_company) is not true)
), ranked as materialized (
  select id, success_rate::numeric as rate, row_number() over (order by "order", id) as rank
  from status
  where id_space = $2
),
-- Most leads have no value. They are counted, and left out of everything else.
valued as materialized (
  select lead.*, coalesce(first_status.rate, 0) as rate
  from (
    select selected.*, min(ranked.rank) as rank
    from selected
    left join lead_status on lead_status.id_space = $3 and lead_status.id_lead = selected.id and true
    left join ranked on ranked.id = lead_status.id_status
    where selected.contract_value is not null
    group by selected.id, selected.contract_currency, selected.contract_value, selected.period
  ) lead
  left join ranked first_status on first_status.rank = lead.rank
), counted as materialized (
  select lead_status.id_status as key, count(*) as count
  from selected lead
  left join lead_status on lead_status.id_space = $4 and lead_status.id_lead = lead.id and true
  group by 1
), summed as materialized (
  select lead_status.id_status as key, contract_currency as currency, count(*) as count, sum(contract_value) as value, sum(contract_value * coalesce((
    select rate
    from ranked
    where ranked.id = lead_status.id_status
  ), 0)) * 0.01 as weighted
  from valued lead
  left join lead_status on lead_status.id_space = $5 and lead_status.id_lead = lead.id and true
  group by 1, currency
),
-- Without a currency of the workspace, the one of most of these leads.
base as materialized (
  select coalesce(nullif(space.currency, ''), (
    select mode() within group (order by contract_currency)
    from valued
  )) as currency
  from space
  where space.id_space = $6
),
-- A value without a currency is in that of the workspace.
factor as materialized (
  select rate.currency, rate.rate::numeric as factor
  from rate, base
  where rate.id_space = $7 and rate.base = base.currency
  union
  select currency, 1
  from base
  union
  select null, 1
)
select json_build_object( 'group_by', $8::text, 'groups', (
  select coalesce(json_agg(json_build_object( 'key', counted.key, 'count', counted.count, 'values', coalesce(money.values, '[]'), 'sum', money.sum) order by (
    select "order"
    from status
    where id_space = $9 and id = counted.key
  ) nulls last, counted.key), '[]')
  from counted
  cross join lateral (
    select json_agg(json_build_object('currency', summed.currency, 'count', summed.count, 'value', trim_scale(summed.value), 'weighted', trim_scale(summed.weighted)) order by summed.currency nulls last) as values, json_build_object( 'currency', (
      select currency
      from base
    ), 'value', trim_scale(round(coalesce(sum(summed.value * factor), 0), $10::int)), 'weighted', trim_scale(round(coalesce(sum(summed.weighted * factor), 0), $11::int)), 'count', coalesce(sum(summed.count) filter (where factor is not null), 0), 'converted', coalesce(sum(summed.count) filter ( where factor is not null and summed.currency <> (
      select currency
      from base
    )), 0), 'left_out', coalesce(json_agg(json_build_object('currency', summed.currency, 'count', summed.count) order by summed.currency) filter (where factor is null), '[]')) as sum
    from summed
    left join factor on factor.currency is not distinct from summed.currency
    where summed.key is not distinct from counted.key
  ) money
), 'total', (
  select json_build_object('count', (
    select count(*)
    from selected
  ), 'values', coalesce(money.values, '[]'), 'sum', money.sum)
  from (
    select json_agg(json_build_object('currency', summed.currency, 'count', summed.count, 'value', trim_scale(summed.value), 'weighted', trim_scale(summed.weighted)) order by summed.currency nulls last) as values, json_build_object( 'currency', (
      select currency
      from base
    ), 'value', trim_scale(round(coalesce(sum(summed.value * factor), 0), $12::int)), 'weighted', trim_scale(round(coalesce(sum(summed.weighted * factor), 0), $13::int)), 'count', coalesce(sum(summed.count) filter (where factor is not null), 0), 'converted', coalesce(sum(summed.count) filter ( where factor is not null and summed.currency <> (
      select currency
      from base
    )), 0), 'left_out', coalesce(json_agg(json_build_object('currency', summed.currency, 'count', summed.count) order by summed.currency) filter (where factor is null), '[]')) as sum
    from (
      select contract_currency as currency, count(*) as count, sum(contract_value) as value, sum(contract_value * lead.rate) * 0.01 as weighted
      from valued lead
      group by currency
    ) summed
    left join factor on factor.currency is not distinct from summed.currency
  ) money
) )::text as json;

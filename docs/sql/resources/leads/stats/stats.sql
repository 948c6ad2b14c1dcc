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
  select lead_status.id_status as key, contract_currency as currency, sum(contract_value) as value, sum(contract_value * coalesce((
    select rate
    from ranked
    where ranked.id = lead_status.id_status
  ), 0)) * 0.01 as weighted
  from valued lead
  left join lead_status on lead_status.id_space = $5 and lead_status.id_lead = lead.id and true
  group by 1, currency
)
select json_build_object( 'group_by', $6::text, 'groups', (
  select coalesce(json_agg(json_build_object( 'key', counted.key, 'count', counted.count, 'values', (
    select coalesce(json_agg(json_build_object( 'currency', currency, 'value', value, 'weighted', trim_scale(weighted)) order by currency nulls last), '[]')
    from summed
    where summed.key is not distinct from counted.key
  ) ) order by (
    select "order"
    from status
    where id_space = $7 and id = counted.key
  ) nulls last, counted.key), '[]')
  from counted
), 'total', json_build_object('count', (
  select count(*)
  from selected
), 'values', (
  select coalesce(json_agg(json_build_object( 'currency', currency, 'value', value, 'weighted', trim_scale(weighted)) order by currency nulls last), '[]')
  from (
    select contract_currency as currency, sum(contract_value) as value, sum(contract_value * lead.rate) * 0.01 as weighted
    from valued lead
    group by currency
  ) summed
)) )::text as json;

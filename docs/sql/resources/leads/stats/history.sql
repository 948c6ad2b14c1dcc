-- countNotes
with selected as materialized (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (true)
)
select note.id_author as id_member, note.kind, count(*)::int as count, count(distinct note.id_lead)::int as leads
from note
join selected on selected.id = note.id_lead
where note.id_space = $2 and not note.is_deleted and coalesce(note.happened_at, note.created_at) >= (
  select ($3::date::timestamp) at time zone time_zone
  from space
  where id_space = $4
) and coalesce(note.happened_at, note.created_at) < (
  select ($5::date::timestamp) at time zone time_zone
  from space
  where id_space = $6
)
group by grouping sets ((note.id_author, note.kind), (note.id_author))
order by note.id_author nulls last, note.kind nulls first;

-- selectStageTimes
with selected as materialized (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (true)
), ended as materialized (
  select lead_stage.id_status, count(distinct lead_stage.id_lead)::int as leads, round((percentile_cont(0.5) within group (order by extract(epoch from lead_stage.left_at - lead_stage.entered_at)) / 86400)::numeric, 2)::float8 as median, round((avg(extract(epoch from lead_stage.left_at - lead_stage.entered_at)) / 86400)::numeric, 2)::float8 as average
  from lead_stage
  join selected on selected.id = lead_stage.id_lead
  where lead_stage.id_space = $2 and lead_stage.left_at >= (
    select ($3::date::timestamp) at time zone time_zone
    from space
    where id_space = $4
  ) and lead_stage.left_at < (
    select ($5::date::timestamp) at time zone time_zone
    from space
    where id_space = $6
  )
  group by lead_stage.id_status
), staying as materialized (
  select lead_status.id_status, count(*)::int as leads, round((percentile_cont(0.5) within group (order by extract(epoch from $7::timestamptz - lead_status.entered_at)) / 86400)::numeric, 2)::float8 as median
  from lead_status
  join selected on selected.id = lead_status.id_lead
  where lead_status.id_space = $8
  group by lead_status.id_status
)
select status.id as id_status, coalesce(ended.leads, 0) as "left", ended.median, ended.average, coalesce(staying.leads, 0) as now, staying.median as median_now
from status
left join ended on ended.id_status = status.id
left join staying on staying.id_status = status.id
where status.id_space = $9 and (ended.leads > 0 or staying.leads > 0)
order by status.id_list nulls first, status."order", status.id;

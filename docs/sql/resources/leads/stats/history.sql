-- countNotes
select note.id_author as id_member, note.kind, count(*)::int as count, count(distinct note.id_lead)::int as leads
from note
where note.id_space = $1 and not note.is_deleted and coalesce(note.happened_at, note.created_at) >= (
  select ($2::date::timestamp) at time zone time_zone
  from space
  where id_space = $3
) and coalesce(note.happened_at, note.created_at) < (
  select ($4::date::timestamp) at time zone time_zone
  from space
  where id_space = $5
) and note.id_lead not in (
  select lead.id
  from lead
  where lead.id_space = $6 and lead.is_deleted
)
group by grouping sets ((note.id_author, note.kind), (note.id_author))
order by note.id_author nulls last, note.kind nulls first;

-- selectStageTimes
with ended as materialized (
  select lead_stage.id_status, round((avg(date_part('epoch', lead_stage.left_at - lead_stage.entered_at)) / 86400)::numeric, 2)::float8 as average, round((percentile_cont(0.5) within group (order by date_part('epoch', lead_stage.left_at - lead_stage.entered_at)) / 86400)::numeric, 2)::float8 as median
  from lead_stage
  where lead_stage.id_space = $1 and lead_stage.left_at >= (
    select ($2::date::timestamp) at time zone time_zone
    from space
    where id_space = $3
  ) and lead_stage.left_at < (
    select ($4::date::timestamp) at time zone time_zone
    from space
    where id_space = $5
  ) and lead_stage.id_lead not in (
    select lead.id
    from lead
    where lead.id_space = $6 and lead.is_deleted
  )
  group by lead_stage.id_status
), leaving as materialized (
  select id_status, count(*)::int as leads
  from (
    select distinct lead_stage.id_status, lead_stage.id_lead
    from lead_stage
    where lead_stage.id_space = $7 and lead_stage.left_at >= (
      select ($8::date::timestamp) at time zone time_zone
      from space
      where id_space = $9
    ) and lead_stage.left_at < (
      select ($10::date::timestamp) at time zone time_zone
      from space
      where id_space = $11
    ) and lead_stage.id_lead not in (
      select lead.id
      from lead
      where lead.id_space = $12 and lead.is_deleted
    )
  ) lead
  group by id_status
), staying as materialized (
  select lead_status.id_status, count(*)::int as leads, round((date_part('epoch', $13::timestamptz - percentile_disc(0.5) within group (order by lead_status.entered_at)) / 86400)::numeric, 2)::float8 as median
  from lead_status
  where lead_status.id_space = $14 and lead_status.id_lead not in (
    select lead.id
    from lead
    where lead.id_space = $15 and lead.is_deleted
  )
  group by lead_status.id_status
)
select status.id as id_status, coalesce(leaving.leads, 0) as "left", ended.median, ended.average, coalesce(staying.leads, 0) as now, staying.median as median_now
from status
left join ended on ended.id_status = status.id
left join leaving on leaving.id_status = status.id
left join staying on staying.id_status = status.id
where status.id_space = $16 and (leaving.leads > 0 or staying.leads > 0)
order by status.id_list nulls first, status."order", status.id;

-- journalPlace
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select $11::text::jsonb as old, $12::text::jsonb as new, array[$13::uuid] as ids
      ) alike
      where old is distinct from new
    )
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $14::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $15::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
      from jsonb_object_keys(grouped.new) name
      where (grouped.old -> name) is distinct from (grouped.new -> name)
    ) as changed
    from grouped, generate_series(0, cardinality(grouped.ids) - 1, 500) place
    where grouped.groups <= 100
    union all
    select array_agg(id), null::uuid[], null::jsonb
    from (
      select id, (row_number() over (order by id) - 1) / 500 as chunk
      from (
        select unnest(ids) as id
        from grouped
        where groups > 100
      ) each
    ) numbered
    group by chunk
  ) found
  returning cardinality(ids) as leads
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- lockColumn
select id
from status
where id_space = $1 and id = $2
for no key update;

-- lockColumn
update status
set leads_order = null, updated_at = $1
where id_space = $2 and id = $3 and leads_order is not null;

-- selectSpot
select own.id_status as status, (
  select lead_status.id_lead
  from lead_status
  where lead_status.id_space = $1 and lead_status.id_status = own.id_status and lead_status.place > own.place
  order by lead_status.place
  limit 1
) as before
from lead_status own
where own.id_space = $2 and own.id_lead = $3 and own.id_list is not distinct from $4;

-- writePlace
insert into lead_status (id_space, id_lead, id_status, id_list, place)
values ($1, $2, $3, $4, $5::bytea)
on conflict (id_space, id_lead, id_group) do update
set id_status = excluded.id_status, place = excluded.place;

-- writePlace
select place
from lead_status
where lead_status.id_space = $1 and lead_status.id_status = $2 and id_lead <> $3 and true
order by place desc
limit 1;

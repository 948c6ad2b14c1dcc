-- connect
with added as (
  insert into lead_campaign (id_space, id_lead, id_campaign)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::uuid[]) as id_lead, unnest($3::uuid[]) as id_record
  ) wanted
  on conflict do nothing
  returning id_lead, id_campaign as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- connect
with added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::uuid[]) as id_lead, unnest($3::uuid[]) as id_record
  ) wanted
  on conflict do nothing
  returning id_lead, id_list as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- connect
with added as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::text::uuid[], $3::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
  returning id_lead, id_member as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $6::uuid, $7::uuid, $8::int, row_number() over ()::int, $9, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $10::uuid, $11::uuid, row_number() over ()::int, 'lead.updated', $12::timestamptz, $13::uuid, $14::uuid, $15::text, $16::text, $17::uuid, $18::int, $19::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- connect
with added as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::uuid[]) as id_lead, unnest($3::uuid[]) as id_record
  ) wanted
  on conflict do nothing
  returning id_lead, id_member as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- connect
with added as (
  insert into lead_tag (id_space, id_lead, id_tag)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::text::uuid[], $3::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
  returning id_lead, id_tag as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $6::uuid, $7::uuid, $8::int, row_number() over ()::int, $9, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $10::uuid, $11::uuid, row_number() over ()::int, 'lead.updated', $12::timestamptz, $13::uuid, $14::uuid, $15::text, $16::text, $17::uuid, $18::int, $19::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- connect
with added as (
  insert into lead_tag (id_space, id_lead, id_tag)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::uuid[]) as id_lead, unnest($3::uuid[]) as id_record
  ) wanted
  on conflict do nothing
  returning id_lead, id_tag as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_campaign
  where id_space = $1 and id_lead = any($2::uuid[]) and id_campaign <> all($3::uuid[])
  returning id_lead, id_campaign as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($5::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_list
  where id_space = $1 and id_lead = any($2::uuid[]) and id_list <> all($3::uuid[])
  returning id_lead, id_list as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($5::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_list
  where id_space = $1 and id_lead = any($2::uuid[]) and id_list = any($3::uuid[])
  returning id_lead, id_list as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($5::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $6::uuid, $7::uuid, $8::int, row_number() over ()::int, $9, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $10::uuid, $11::uuid, row_number() over ()::int, 'lead.updated', $12::timestamptz, $13::uuid, $14::uuid, $15::text, $16::text, $17::uuid, $18::int, $19::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_owner
  where id_space = $1 and id_lead = any($2::uuid[]) and id_member <> all($3::uuid[])
  returning id_lead, id_member as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($5::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_status
  where id_space = $1 and id_lead = any($2::uuid[]) and id_status <> all($3::uuid[])
  returning id_lead, id_status as id_record , entered_at
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $4::uuid, stay.id_lead, stay.id_status, stay.entered_at, $5::timestamptz
  from (
    select id_lead, id_record as id_status, entered_at
    from gone
  ) stay
  on conflict do nothing
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($6::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($7::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $8::uuid, $9::uuid, row_number() over ()::int, 'lead.updated', $10::timestamptz, $11::uuid, $12::uuid, $13::text, $14::text, $15::uuid, $16::int, $17::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  delete from lead_tag
  where id_space = $1 and id_lead = any($2::uuid[]) and id_tag <> all($3::uuid[])
  returning id_lead, id_tag as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($5::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.updated', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $16::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $17::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  select id_lead, id_status as id_record, entered_at
  from lead_status
  where id_space = $1 and id_list is not null and id_lead = any($2::uuid[]) and id_list <> all($3::uuid[])
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $4::uuid, stay.id_lead, stay.id_status, stay.entered_at, $5::timestamptz
  from (
    select id_lead, id_record as id_status, entered_at
    from gone
  ) stay
  on conflict do nothing
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($6::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($7::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $8::uuid, $9::uuid, row_number() over ()::int, 'lead.updated', $10::timestamptz, $11::uuid, $12::uuid, $13::text, $14::text, $15::uuid, $16::int, $17::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $18::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $19::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- disconnect
with gone as (
  select id_lead, id_status as id_record, entered_at
  from lead_status
  where id_space = $1 and id_list is not null and id_lead = any($2::uuid[]) and id_list = any($3::uuid[])
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $4::uuid, stay.id_lead, stay.id_status, stay.entered_at, $5::timestamptz
  from (
    select id_lead, id_record as id_status, entered_at
    from gone
  ) stay
  on conflict do nothing
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($6::text, jsonb_agg(id_record order by id_record)) as old, jsonb_build_object($7::text, '[]'::jsonb) as new
      from gone
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $8::uuid, $9::uuid, $10::int, row_number() over ()::int, $11, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $12::uuid, $13::uuid, row_number() over ()::int, 'lead.updated', $14::timestamptz, $15::uuid, $16::uuid, $17::text, $18::text, $19::uuid, $20::int, $21::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $24::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $25::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- joinLists
with added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::text::uuid[], $3::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
  returning id_lead, id_list as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $6::uuid, $7::uuid, $8::int, row_number() over ()::int, $9, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $10::uuid, $11::uuid, row_number() over ()::int, 'lead.updated', $12::timestamptz, $13::uuid, $14::uuid, $15::text, $16::text, $17::uuid, $18::int, $19::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- joinLists
with added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $1::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($2::uuid[]) as id_lead, unnest($3::uuid[]) as id_record
  ) wanted
  on conflict do nothing
  returning id_lead, id_list as id_record
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($4::text, '[]'::jsonb) as old, jsonb_build_object($5::text, jsonb_agg(id_record order by id_record)) as new
      from added
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $6::uuid, $7::uuid, $8::int, row_number() over ()::int, $9, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $10::uuid, $11::uuid, row_number() over ()::int, 'lead.updated', $12::timestamptz, $13::uuid, $14::uuid, $15::text, $16::text, $17::uuid, $18::int, $19::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $20::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $21::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $22::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $23::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- selectStarts
select distinct on (status.id_list) status.id, status.id_list
from list
join status on status.id_space = $1 and status.id_list = list.id
where list.id_space = $2 and list.id = any($3::uuid[]) and list.auto_status
order by status.id_list, status."order", status.id;

-- setStatuses
with before as (
  select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
  from (
    select id_lead, id_status, id_list
    from unnest($1::text::uuid[], $2::text::uuid[], $3::text::uuid[]) as entry (id_lead, id_status, id_list)
  ) wanted
  left join lead_status on lead_status.id_space = $4 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object('status', coalesce( jsonb_agg(id_before order by id_before) filter (where id_before is not null), '[]')) as old, jsonb_build_object('status', jsonb_agg(id_status order by id_status)) as new
      from before
      where id_before is distinct from id_status
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $5::uuid, $6::uuid, $7::int, row_number() over ()::int, $8, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from grouped
    where not (groups > 100 and leads <= groups * 10)
    union all
    select true, jsonb_agg(old), jsonb_agg(new), array_agg(id)
    from (
      select id, old, new, (row_number() over () - 1) / 500 as chunk
      from grouped, unnest(ids) as id
      where (groups > 100 and leads <= groups * 10)
    ) numbered
    group by chunk
  ) step
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $9::uuid, $10::uuid, row_number() over ()::int, 'lead.updated', $11::timestamptz, $12::uuid, $13::uuid, $14::text, $15::text, $16::uuid, $17::int, $18::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $19::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $20::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $21::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $22::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $23::uuid, stay.id_lead, stay.id_status, stay.entered_at, $24::timestamptz
  from (
    select id_lead, id_before as id_status, entered_at
    from before
    where id_before <> id_status
  ) stay
  on conflict do nothing
), written as (
  insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
  select $25::uuid, lead.id, wanted.id_status, wanted.id_list, $26::timestamptz, int8send(4611686018427387904 - (extract(epoch from lead.created_at) * 1000)::bigint) || uuid_send(lead.id)
  from (
    select id_lead, id_status, id_list
    from unnest($27::text::uuid[], $28::text::uuid[], $29::text::uuid[]) as entry (id_lead, id_status, id_list)
  ) wanted
  join lead on lead.id_space = $30 and lead.id = wanted.id_lead
  on conflict (id_space, id_lead, id_group) do update
  set id_status = excluded.id_status, entered_at = case when lead_status.id_status = excluded.id_status then lead_status.entered_at else excluded.entered_at end, place = case when lead_status.id_status = excluded.id_status then lead_status.place else excluded.place end
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

-- setStatuses
with before as (
  select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
  from (
    select id_lead, wanted.id as id_status, wanted.id_list
    from unnest($1::uuid[]) as id_lead, unnest($2::uuid[], $3::uuid[]) as wanted (id, id_list)
  ) wanted
  left join lead_status on lead_status.id_space = $4 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object('status', coalesce( jsonb_agg(id_before order by id_before) filter (where id_before is not null), '[]')) as old, jsonb_build_object('status', jsonb_agg(id_status order by id_status)) as new
      from before
      where id_before is distinct from id_status
      group by id_lead
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), logged as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $5::uuid, $6::uuid, row_number() over ()::int, 'lead.updated', $7::timestamptz, $8::uuid, $9::uuid, $10::text, $11::text, $12::uuid, $13::int, $14::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $15::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $16::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $17::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $18::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $19::uuid, stay.id_lead, stay.id_status, stay.entered_at, $20::timestamptz
  from (
    select id_lead, id_before as id_status, entered_at
    from before
    where id_before <> id_status
  ) stay
  on conflict do nothing
), written as (
  insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
  select $21::uuid, lead.id, wanted.id_status, wanted.id_list, $22::timestamptz, int8send(4611686018427387904 - (extract(epoch from lead.created_at) * 1000)::bigint) || uuid_send(lead.id)
  from (
    select id_lead, wanted.id as id_status, wanted.id_list
    from unnest($23::uuid[]) as id_lead, unnest($24::uuid[], $25::uuid[]) as wanted (id, id_list)
  ) wanted
  join lead on lead.id_space = $26 and lead.id = wanted.id_lead
  on conflict (id_space, id_lead, id_group) do update
  set id_status = excluded.id_status, entered_at = case when lead_status.id_status = excluded.id_status then lead_status.entered_at else excluded.entered_at end, place = case when lead_status.id_status = excluded.id_status then lead_status.place else excluded.place end
)
select coalesce(sum(cardinality(ids)), 0)::int as changed
from grouped;

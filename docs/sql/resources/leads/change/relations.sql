-- connect
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, '[]'::jsonb) as old, jsonb_build_object($2::text, jsonb_agg(distinct id_record order by id_record)) as new
      from (
        select id_lead, id_record
        from (
          select id_lead, id_record
          from unnest($3::text::uuid[], $4::text::uuid[]) as pair (id_lead, id_record)
        ) wanted
        where (
          select count(*)
          from lead_owner known
          where known.id_space = $5 and known.id_lead = wanted.id_lead and known.id_member = wanted.id_record
        ) = 0
      ) missing
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $24::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($25::text::uuid[], $26::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- connect
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, '[]'::jsonb) as old, jsonb_build_object($2::text, jsonb_agg(distinct id_record order by id_record)) as new
      from (
        select id_lead, id_record
        from (
          select id_lead, id_record
          from unnest($3::text::uuid[], $4::text::uuid[]) as pair (id_lead, id_record)
        ) wanted
        where (
          select count(*)
          from lead_tag known
          where known.id_space = $5 and known.id_lead = wanted.id_lead and known.id_tag = wanted.id_record
        ) = 0
      ) missing
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_tag (id_space, id_lead, id_tag)
  select $24::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($25::text::uuid[], $26::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- connect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, '[]'::jsonb) as old, jsonb_build_object($12::text, jsonb_agg(distinct id_record order by id_record)) as new
          from (
            select id_lead, id_record
            from (
              select id_lead, id_record
              from unnest($13::uuid[]) as id_lead, unnest($14::uuid[]) as id_record
            ) wanted
            where (
              select count(*)
              from lead_campaign known
              where known.id_space = $15 and known.id_lead = wanted.id_lead and known.id_campaign = wanted.id_record
            ) = 0
          ) missing
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_campaign (id_space, id_lead, id_campaign)
  select $20::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($21::uuid[]) as id_lead, unnest($22::uuid[]) as id_record
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- connect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, '[]'::jsonb) as old, jsonb_build_object($12::text, jsonb_agg(distinct id_record order by id_record)) as new
          from (
            select id_lead, id_record
            from (
              select id_lead, id_record
              from unnest($13::uuid[]) as id_lead, unnest($14::uuid[]) as id_record
            ) wanted
            where (
              select count(*)
              from lead_list known
              where known.id_space = $15 and known.id_lead = wanted.id_lead and known.id_list = wanted.id_record
            ) = 0
          ) missing
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $20::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($21::uuid[]) as id_lead, unnest($22::uuid[]) as id_record
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- connect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, '[]'::jsonb) as old, jsonb_build_object($12::text, jsonb_agg(distinct id_record order by id_record)) as new
          from (
            select id_lead, id_record
            from (
              select id_lead, id_record
              from unnest($13::uuid[]) as id_lead, unnest($14::uuid[]) as id_record
            ) wanted
            where (
              select count(*)
              from lead_owner known
              where known.id_space = $15 and known.id_lead = wanted.id_lead and known.id_member = wanted.id_record
            ) = 0
          ) missing
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $20::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($21::uuid[]) as id_lead, unnest($22::uuid[]) as id_record
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- connect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, '[]'::jsonb) as old, jsonb_build_object($12::text, jsonb_agg(distinct id_record order by id_record)) as new
          from (
            select id_lead, id_record
            from (
              select id_lead, id_record
              from unnest($13::uuid[]) as id_lead, unnest($14::uuid[]) as id_record
            ) wanted
            where (
              select count(*)
              from lead_tag known
              where known.id_space = $15 and known.id_lead = wanted.id_lead and known.id_tag = wanted.id_record
            ) = 0
          ) missing
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_tag (id_space, id_lead, id_tag)
  select $20::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($21::uuid[]) as id_lead, unnest($22::uuid[]) as id_record
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($2::text, '[]'::jsonb) as new
      from (
        select id_lead, id_list as id_record
        from lead_list
        where id_space = $3 and id_lead = any($4::uuid[]) and id_list = any($5::uuid[])
      ) lost
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), gone as (
  delete from lead_list
  where id_space = $24 and id_lead = any($25::uuid[]) and id_list = any($26::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($2::text, '[]'::jsonb) as new
      from (
        select id_lead, id_status as id_record
        from lead_status
        where id_space = $3 and id_lead = any($4::uuid[]) and id_list = any($5::uuid[]) and id_list is not null
      ) lost
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $24::uuid, stay.id_lead, stay.id_status, stay.entered_at, $25::timestamptz
  from (
    select id_lead, id_status, entered_at
    from lead_status
    where id_space = $26 and id_lead = any($27::uuid[]) and id_list = any($28::uuid[]) and id_list is not null
  ) stay
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_campaign as id_record
            from lead_campaign
            where id_space = $13 and id_lead = any($14::uuid[]) and id_campaign <> all($15::uuid[])
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), gone as (
  delete from lead_campaign
  where id_space = $20 and id_lead = any($21::uuid[]) and id_campaign <> all($22::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_list as id_record
            from lead_list
            where id_space = $13 and id_lead = any($14::uuid[]) and id_list <> all($15::uuid[])
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), gone as (
  delete from lead_list
  where id_space = $20 and id_lead = any($21::uuid[]) and id_list <> all($22::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_member as id_record
            from lead_owner
            where id_space = $13 and id_lead = any($14::uuid[]) and id_member <> all($15::uuid[])
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), gone as (
  delete from lead_owner
  where id_space = $20 and id_lead = any($21::uuid[]) and id_member <> all($22::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_status as id_record
            from lead_status
            where id_space = $13 and id_lead = any($14::uuid[]) and id_list <> all($15::uuid[]) and id_list is not null
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $20::uuid, stay.id_lead, stay.id_status, stay.entered_at, $21::timestamptz
  from (
    select id_lead, id_status, entered_at
    from lead_status
    where id_space = $22 and id_lead = any($23::uuid[]) and id_list <> all($24::uuid[]) and id_list is not null
  ) stay
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_status as id_record
            from lead_status
            where id_space = $13 and id_lead = any($14::uuid[]) and id_status <> all($15::uuid[])
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $20::uuid, stay.id_lead, stay.id_status, stay.entered_at, $21::timestamptz
  from (
    select id_lead, id_status, entered_at
    from lead_status
    where id_space = $22 and id_lead = any($23::uuid[]) and id_status <> all($24::uuid[])
  ) stay
  on conflict do nothing
), gone as (
  delete from lead_status
  where id_space = $25 and id_lead = any($26::uuid[]) and id_status <> all($27::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- disconnect
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object($11::text, jsonb_agg(distinct id_record order by id_record)) as old, jsonb_build_object($12::text, '[]'::jsonb) as new
          from (
            select id_lead, id_tag as id_record
            from lead_tag
            where id_space = $13 and id_lead = any($14::uuid[]) and id_tag <> all($15::uuid[])
          ) lost
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), gone as (
  delete from lead_tag
  where id_space = $20 and id_lead = any($21::uuid[]) and id_tag <> all($22::uuid[])
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- joinLists
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, '[]'::jsonb) as old, jsonb_build_object($2::text, jsonb_agg(distinct id_record order by id_record)) as new
      from (
        select id_lead, id_record
        from (
          select id_lead, id_record
          from unnest($3::text::uuid[], $4::text::uuid[]) as pair (id_lead, id_record)
        ) wanted
        where (
          select count(*)
          from lead_list known
          where known.id_space = $5 and known.id_lead = wanted.id_lead and known.id_list = wanted.id_record
        ) = 0
      ) missing
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $24::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($25::text::uuid[], $26::text::uuid[]) as pair (id_lead, id_record)
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- joinLists
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object($1::text, '[]'::jsonb) as old, jsonb_build_object($2::text, jsonb_agg(distinct id_record order by id_record)) as new
      from (
        select id_lead, id_record
        from (
          select id_lead, id_record
          from unnest($3::uuid[]) as id_lead, unnest($4::uuid[]) as id_record
        ) wanted
        where (
          select count(*)
          from lead_list known
          where known.id_space = $5 and known.id_lead = wanted.id_lead and known.id_list = wanted.id_record
        ) = 0
      ) missing
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), added as (
  insert into lead_list (id_space, id_lead, id_list)
  select $24::uuid, wanted.id_lead, wanted.id_record
  from (
    select id_lead, id_record
    from unnest($25::uuid[]) as id_lead, unnest($26::uuid[]) as id_record
  ) wanted
  on conflict do nothing
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- selectStarts
select distinct on (status.id_list) status.id, status.id_list
from list
join status on status.id_space = $1 and status.id_list = list.id
where list.id_space = $2 and list.id = any($3::uuid[]) and list.auto_status
order by status.id_list, status."order", status.id;

-- setStatuses
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id_lead as id, jsonb_build_object('status', coalesce( jsonb_agg(id_before order by id_before) filter (where id_before is not null), '[]')) as old, jsonb_build_object('status', jsonb_agg(id_status order by id_status)) as new
      from (
        select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
        from (
          select id_lead, id_status, id_list
          from unnest($1::text::uuid[], $2::text::uuid[], $3::text::uuid[]) as entry (id_lead, id_status, id_list)
        ) wanted
        left join lead_status on lead_status.id_space = $4 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
      ) before
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $23::uuid, stay.id_lead, stay.id_status, stay.entered_at, $24::timestamptz
  from (
    select id_lead, id_before as id_status, entered_at
    from (
      select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
      from (
        select id_lead, id_status, id_list
        from unnest($25::text::uuid[], $26::text::uuid[], $27::text::uuid[]) as entry (id_lead, id_status, id_list)
      ) wanted
      left join lead_status on lead_status.id_space = $28 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
    ) before
    where id_before <> id_status
  ) stay
  on conflict do nothing
), written as (
  insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
  select $29::uuid, lead.id, wanted.id_status, wanted.id_list, $30::timestamptz, int8send(4611686018427387904 - (extract(epoch from lead.created_at) * 1000)::bigint) || uuid_send(lead.id)
  from (
    select id_lead, id_status, id_list
    from unnest($31::text::uuid[], $32::text::uuid[], $33::text::uuid[]) as entry (id_lead, id_status, id_list)
  ) wanted
  join lead on lead.id_space = $34 and lead.id = wanted.id_lead
  on conflict (id_space, id_lead, id_group) do update
  set id_status = excluded.id_status, entered_at = case when lead_status.id_status = excluded.id_status then lead_status.entered_at else excluded.entered_at end, place = case when lead_status.id_status = excluded.id_status then lead_status.place else excluded.place end
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- setStatuses
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select old, new, array_agg(id order by id) as ids
        from (
          select id_lead as id, jsonb_build_object('status', coalesce( jsonb_agg(id_before order by id_before) filter (where id_before is not null), '[]')) as old, jsonb_build_object('status', jsonb_agg(id_status order by id_status)) as new
          from (
            select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
            from (
              select id_lead, wanted.id as id_status, wanted.id_list
              from unnest($11::uuid[]) as id_lead, unnest($12::uuid[], $13::uuid[]) as wanted (id, id_list)
            ) wanted
            left join lead_status on lead_status.id_space = $14 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
          ) before
          where id_before is distinct from id_status
          group by id_lead
        ) change
        group by old, new
      ) alike
      where old is distinct from new
    )
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
  returning cardinality(ids) as leads
), ended as (
  insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
  select $19::uuid, stay.id_lead, stay.id_status, stay.entered_at, $20::timestamptz
  from (
    select id_lead, id_before as id_status, entered_at
    from (
      select wanted.id_lead, wanted.id_status, lead_status.id_status as id_before, lead_status.entered_at
      from (
        select id_lead, wanted.id as id_status, wanted.id_list
        from unnest($21::uuid[]) as id_lead, unnest($22::uuid[], $23::uuid[]) as wanted (id, id_list)
      ) wanted
      left join lead_status on lead_status.id_space = $24 and lead_status.id_lead = wanted.id_lead and lead_status.id_list is not distinct from wanted.id_list
    ) before
    where id_before <> id_status
  ) stay
  on conflict do nothing
), written as (
  insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
  select $25::uuid, lead.id, wanted.id_status, wanted.id_list, $26::timestamptz, int8send(4611686018427387904 - (extract(epoch from lead.created_at) * 1000)::bigint) || uuid_send(lead.id)
  from (
    select id_lead, wanted.id as id_status, wanted.id_list
    from unnest($27::uuid[]) as id_lead, unnest($28::uuid[], $29::uuid[]) as wanted (id, id_list)
  ) wanted
  join lead on lead.id_space = $30 and lead.id = wanted.id_lead
  on conflict (id_space, id_lead, id_group) do update
  set id_status = excluded.id_status, entered_at = case when lead_status.id_status = excluded.id_status then lead_status.entered_at else excluded.entered_at end, place = case when lead_status.id_status = excluded.id_status then lead_status.place else excluded.place end
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- emptyList
delete from lead_list
where id_space = $1 and id_list = $2;

-- markDeleted
update lead
set is_deleted = true, is_deleted_at = $1, updated_at = $2
where id_space = $3 and lead.id = any(array(
  select unnest($4::uuid[])
));

-- markDeleted
with found as materialized (
  select $1::uuid[] as ids, null::jsonb as old, null::jsonb as new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $2::uuid, $3::uuid, $4::int, row_number() over ()::int, $5, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from found
  ) step
), logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.deleted', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select found.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, null::jsonb as changed
    from found, generate_series(0, cardinality(found.ids) - 1, 500) place
  ) found
  returning cardinality(ids) as leads
)
select 1;

-- markDeleted
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.deleted', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with found as materialized (
      select $11::uuid[] as ids, null::jsonb as old, null::jsonb as new
    )
    select found.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, null::jsonb as changed
    from found, generate_series(0, cardinality(found.ids) - 1, 500) place
  ) found
  returning cardinality(ids) as leads
)
select 1;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and lead.id = any(array(
    select unnest($2::uuid[])
  )) and not lead.is_deleted
  order by lead.id
  for no key update of lead
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (exists (
    select
    from lead_search
    where id_space = $2 and id_lead = lead.id and text like $3
  ))
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = $2)
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = any($2::uuid[]))
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = any(array(
    select unnest($2::uuid[])
  )) and (exists (
    select
    from lead_search
    where id_space = $3 and id_lead = lead.id and text like $4
  )) is true)
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = any(array(
    select unnest($2::uuid[])
  )) and (lead.id = $3) is true)
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = any(array(
    select unnest($2::uuid[])
  )) and (lead.id = any($3::uuid[])) is true)
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id = any(array(
    select unnest($2::uuid[])
  )) and (lead.id in (
    select id_lead
    from lead_list
    where id_space = $3 and id_list = $4
  ) and (exists (
    select
    from lead_search
    where id_space = $5 and id_lead = lead.id and text like $6
  ))) is true)
) picked;

-- pickLeads
select count(*)::int as count, coalesce(array_agg(id order by id), '{}')::text as ids
from (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (lead.id in (
    select id_lead
    from lead_list
    where id_space = $2 and id_list = $3
  ) and (exists (
    select
    from lead_search
    where id_space = $4 and id_lead = lead.id and text like $5
  )))
) picked;

-- updatePicked
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select (jsonb_build_object($1::text, before_0)) as old, (jsonb_build_object($2::text, $3::boolean)) as new, ids
    from (
      select before_0, array_agg(id order by id) as ids
      from (
        select lead.id, lead."is_tracked" as before_0
        from lead
        where lead.id_space = $4 and lead.id = any(array(
          select unnest($5::uuid[])
        ))
      ) lead
      group by before_0
    ) alike
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
), updated as (
  update lead
  set "is_tracked" = $24::boolean, "updated_at" = $25::timestamptz
  where lead.id_space = $26 and lead.id = any(array(
    select unnest($27::uuid[])
  ))
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- updatePicked
with grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select (jsonb_build_object($1::text, before_0)) as old, (jsonb_build_object($2::text, $3::text)) as new, ids
    from (
      select before_0, array_agg(id order by id) as ids
      from (
        select lead.id, lead."city" as before_0
        from lead
        where lead.id_space = $4 and lead.id = any(array(
          select unnest($5::uuid[])
        ))
      ) lead
      group by before_0
    ) alike
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
), updated as (
  update lead
  set "city" = $24::text, "updated_at" = $25::timestamptz
  where lead.id_space = $26 and lead.id = any(array(
    select unnest($27::uuid[])
  ))
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- updatePicked
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select (jsonb_build_object($11::text, before_0)) as old, (jsonb_build_object($12::text, $13::text)) as new, ids
        from (
          select before_0, array_agg(id order by id) as ids
          from (
            select lead.id, lead."city" as before_0
            from lead
            where lead.id_space = $14 and lead.id = any(array(
              select unnest($15::uuid[])
            ))
          ) lead
          group by before_0
        ) alike
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
), updated as (
  update lead
  set "city" = $20::text, "updated_at" = $21::timestamptz
  where lead.id_space = $22 and lead.id = any(array(
    select unnest($23::uuid[])
  ))
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- updatePicked
with logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.updated', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
  from (
    with grouped as materialized (
      select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
      from (
        select (jsonb_build_object($11::text, before_0, $12::text, before_1, $13::text, before_2, $14::text, before_3, $15::text, before_4, $16::text, before_5, $17::text, before_6, $18::text, before_7, $19::text, before_8, $20::text, before_9, $21::text, before_10, $22::text, before_11, $23::text, before_12, $24::text, before_13, $25::text, before_14, $26::text, before_15)) as old, (jsonb_build_object($27::text, $28::text, $29::text, $30::text, $31::text, $32::text, $33::text, $34::text, $35::text, $36::text, $37::text, $38::text, $39::text, $40::text, $41::text, $42::text, $43::text, $44::text, $45::text, $46::integer, $47::text, $48::numeric, $49::text, $50::boolean, $51::text, $52::boolean, $53::text, $54::text::jsonb, $55::text, $56::text::jsonb, $57::text, $58::text::jsonb)) as new, ids
        from (
          select before_0, before_1, before_2, before_3, before_4, before_5, before_6, before_7, before_8, before_9, before_10, before_11, before_12, before_13, before_14, before_15, array_agg(id order by id) as ids
          from (
            select lead.id, lead."email" as before_0, lead."company" as before_1, lead."phone" as before_2, lead."first_name" as before_3, lead."last_name" as before_4, lead."icebreaker" as before_5, lead."city" as before_6, lead."contract_currency" as before_7, lead."contract_name" as before_8, lead."email_bounce_score" as before_9, lead."contract_value" as before_10, lead."is_contract" as before_11, lead."is_draft" as before_12, lead."custom_fields" as before_13, lead.attributes -> $59::text as before_14, lead.attributes -> $60::text as before_15
            from lead
            where lead.id_space = $61 and lead.id = any(array(
              select unnest($62::uuid[])
            ))
          ) lead
          group by before_0, before_1, before_2, before_3, before_4, before_5, before_6, before_7, before_8, before_9, before_10, before_11, before_12, before_13, before_14, before_15
        ) alike
      ) alike
      where old is distinct from new
    )
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $63::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $64::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $65::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $66::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
), updated as (
  update lead
  set "email" = $67::text, "company" = $68::text, "phone" = $69::text, "first_name" = $70::text, "last_name" = $71::text, "icebreaker" = $72::text, "city" = $73::text, "contract_currency" = $74::text, "contract_name" = $75::text, "email_bounce_score" = $76::integer, "contract_value" = $77::numeric, "is_contract" = $78::boolean, "is_draft" = $79::boolean, "custom_fields" = $80::text::jsonb, "company_claim" = $81::text, "updated_at" = $82::timestamptz, attributes = (attributes || $83::text::jsonb) - $84::text[]
  where lead.id_space = $85 and lead.id = any(array(
    select unnest($86::uuid[])
  ))
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- beginBatch
select set_config('gin_pending_list_limit', '32768', true);

-- journalCreated
with found as materialized (
  select $1::text::uuid[] as ids, null::jsonb as old, null::jsonb as new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $2::uuid, $3::uuid, $4::int, row_number() over ()::int, $5, step.is_packed, step.old, step.new, step.ids
  from (
    select false as is_packed, old, new, ids
    from found
  ) step
), logged as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $6::uuid, $7::uuid, row_number() over ()::int, 'lead.created', $8::timestamptz, $9::uuid, $10::uuid, $11::text, $12::text, $13::uuid, $14::int, $15::uuid, found.ids, found.leads, found.changed
  from (
    select found.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, null::jsonb as changed
    from found, generate_series(0, cardinality(found.ids) - 1, 500) place
  ) found
  returning cardinality(ids) as leads
)
select 1;

-- lockLeads
select lead.id
from unnest($1::text::uuid[]) as wanted (id)
join lead on lead.id_space = $2 and lead.id = wanted.id
order by lead.id
for no key update of lead;

-- resolveRelations
delete from import_relation
where import_relation.id_space = $1 and import_relation.id_import = $2;

-- resolveRelations
select count(*)::int as count
from import_relation
where import_relation.id_space = $1 and import_relation.id_import = $2 and not exists (
  select 1
  from lead other
  where other.id_space = $3 and other.id = import_relation.id_other and not other.is_deleted
);

-- resolveRelations
with found as materialized (
  select import_relation.id_lead, jsonb_object_agg(import_relation.id_attribute, import_relation.id_other) as value
  from import_relation
  join lead other on other.id_space = $1 and other.id = import_relation.id_other and not other.is_deleted
  join attribute on attribute.id_space = $2 and attribute.id = import_relation.id_attribute
  where import_relation.id_space = $3 and import_relation.id_import = $4
  group by import_relation.id_lead
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select lead.id, (
        select jsonb_object_agg($5::text || entry.key, lead.attributes -> entry.key)
        from jsonb_each(found.value) entry
      ) as old, (
        select jsonb_object_agg($6::text || entry.key, entry.value)
        from jsonb_each(found.value) entry
      ) as new
      from lead, found
      where lead.id_space = $7 and lead.id = found.id_lead
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
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
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
  returning cardinality(ids) as leads
), updated as (
  update lead
  set attributes = lead.attributes || found.value
  from found
  where lead.id_space = $26 and lead.id = found.id_lead
)
select coalesce(sum(leads), 0)::int as changed
from logged;

-- selectIdsByKey
select id, key, is_further
from (
  select lead.id, lower(btrim(lead.email, e' \t\r\n\u00a0')) as key, false as is_further, lead.created_at
  from lead
  where lead.id_space = $1 and not lead.is_deleted and lead.email is not null and left(lower(btrim(lead.email, e' \t\r\n\u00a0')), 255) = any($2::text[])
  union all
  select lead.id, key, true, lead.created_at
  from lead, unnest(string_to_array(regexp_replace(lower(jsonb_path_query_array(lead.other_emails, '$[*].value')::text), '^\["|"\]$', '', 'g'), '", "')) key
  where lead.id_space = $3 and not lead.is_deleted and lead.other_emails is not null and string_to_array(regexp_replace(lower(jsonb_path_query_array(lead.other_emails, '$[*].value')::text), '^\["|"\]$', '', 'g'), '", "') && $4::text[]
) found
order by created_at, id, is_further;

-- selectLeadIds
select lead.id, lead.is_deleted, lead.created_at
from unnest($1::text::uuid[]) as wanted (id)
cross join lateral (
  select lead.id, lead.is_deleted, lead.created_at
  from lead
  where lead.id_space = $2 and lead.id = wanted.id
  limit 1
) lead;

-- updateRows
with entry as materialized (
  select *
  from json_to_recordset($1::text::json) as entry ( id uuid, sent text[], attributes jsonb, cleared text[] , "first_name" text, "email" text, "company" text, "company_claim" text)
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select lead.id, (jsonb_build_object($2::text, lead."first_name", $3::text, lead."email", $4::text, lead."company")) as old, (jsonb_build_object($5::text, case when $6::text = any(entry.sent) then entry."first_name" else lead."first_name" end, $7::text, case when $8::text = any(entry.sent) then entry."email" else lead."email" end, $9::text, case when $10::text = any(entry.sent) then entry."company" else lead."company" end)) as new
      from lead, entry
      where lead.id_space = $11 and lead.id = entry.id
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $12::uuid, $13::uuid, $14::int, row_number() over ()::int, $15, step.is_packed, step.old, step.new, step.ids
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
  select $16::uuid, $17::uuid, row_number() over ()::int, 'lead.updated', $18::timestamptz, $19::uuid, $20::uuid, $21::text, $22::text, $23::uuid, $24::int, $25::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $26::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $27::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $28::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $29::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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
  set "first_name" = case when $30::text = any(entry.sent) then entry."first_name" else lead."first_name" end, "email" = case when $31::text = any(entry.sent) then entry."email" else lead."email" end, "company" = case when $32::text = any(entry.sent) then entry."company" else lead."company" end, "company_claim" = case when $33::text = any(entry.sent) then entry."company_claim" else lead."company_claim" end, updated_at = $34::timestamptz, attributes = (lead.attributes || entry.attributes) - entry.cleared
  from entry
  where lead.id_space = $35 and lead.id = entry.id
)
select coalesce(sum(leads), 0)::int as changed
from logged;

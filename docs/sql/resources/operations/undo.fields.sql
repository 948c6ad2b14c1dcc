-- lockFields
select distinct jsonb_object_keys(operation_value.old) as name
from operation_value
where operation_value.id_space = $1 and operation_value.id_operation = $2 and operation_value.what = $3;

-- undoFields
with found as materialized (
  select lead.id, before.old as was, before.old as old, before.new, (jsonb_build_object($1::text, lead."city")) - $2::text[] as current
  from lead
  join (
    select unnest(ids) as id, old, new
    from operation_value
    where operation_value.id_space = $3 and operation_value.id_operation = $4 and operation_value.what = $5
  ) before on before.id = lead.id
  where lead.id_space = $6 and not lead.is_deleted
), back as materialized (
  select found.id, found.current as old, found.current || coalesce((
    select jsonb_object_agg(entry.key, entry.value)
    from jsonb_each(found.old) entry
    where found.current -> entry.key = found.new -> entry.key
  ), '{}') as new
  from found
), target as (
  select back.id, back.new - $7::text[] as attributes , typed.*
  from back , jsonb_to_record(back.new) as typed ("city" text)
  where back.old is distinct from back.new
), wanted as materialized (
  select target.*, (
    select jsonb_object_agg(substr(key, $8), value)
    from jsonb_each(target.attributes)
    where value <> 'null'
  ) as filled, array(
    select substr(key, $9)
    from jsonb_each(target.attributes)
    where value = 'null'
  ) as empty
  from target
), updated as (
  update lead
  set "city" = wanted."city", updated_at = $10::timestamptz
  from wanted
  where lead.id_space = $11 and lead.id = wanted.id
), kept_changed as (
  insert into operation_before (id_space, id_operation, step, part, what, old, ids)
  select $12::uuid, $13::uuid, $14::int, 1, 'kept', jsonb_build_object('reason', $15::text), array_agg(distinct id)
  from (
    select found.id
    from found
    where exists (
      select
      from jsonb_each(found.old) entry
      where found.new -> entry.key <> entry.value and found.current -> entry.key is distinct from found.new -> entry.key and found.current -> entry.key is distinct from entry.value
    )
  ) lost
  having count(*) > 0
), kept_deleted as (
  insert into operation_before (id_space, id_operation, step, part, what, old, ids)
  select $16::uuid, $17::uuid, $18::int, 1, 'kept', jsonb_build_object('reason', $19::text), array_agg(distinct id)
  from (
    select before.id
    from (
      select distinct unnest(ids) as id
      from operation_before
      where id_space = $20 and id_operation = $21 and what = $22
    ) before
    where not exists (
      select
      from lead
      where lead.id_space = $23 and lead.id = before.id and not lead.is_deleted
    ) and before.id not in (
      select unnest(ids)
      from operation_before
      where id_space = $24 and id_operation = $25 and what = 'deleted'
    )
  ) lost
  having count(*) > 0
), grouped as materialized (
  select old, new, ids, count(*) over () as groups, sum(cardinality(ids)) over () as leads
  from (
    select old, new, array_agg(id order by id) as ids
    from (
      select id, old, new
      from back
    ) change
    group by old, new
  ) alike
  where old is distinct from new
), kept as (
  insert into operation_before (id_space, id_operation, step, part, what, is_packed, old, new, ids)
  select $26::uuid, $27::uuid, $28::int, row_number() over ()::int, $29, step.is_packed, step.old, step.new, step.ids
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
  select $30::uuid, $31::uuid, row_number() over ()::int, 'lead.updated', $32::timestamptz, $33::uuid, $34::uuid, $35::text, $36::text, $37::uuid, $38::int, $39::uuid, found.ids, found.leads, found.changed
  from (
    select grouped.ids[place + 1 : place + 500] as ids, null::uuid[] as leads, (
      select jsonb_object_agg(name, jsonb_build_array(case when octet_length(((grouped.old -> name) #>> '{}')) > $40::int then jsonb_build_object('cut', regexp_replace(left(((grouped.old -> name) #>> '{}'), $41::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.old -> name) #>> '{}'))) else (grouped.old -> name) end, case when octet_length(((grouped.new -> name) #>> '{}')) > $42::int then jsonb_build_object('cut', regexp_replace(left(((grouped.new -> name) #>> '{}'), $43::int), '(?<=[\s",:])[^\s",:]{1,255}$', ''), 'length', length(((grouped.new -> name) #>> '{}'))) else (grouped.new -> name) end))
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

-- insertSteps
insert into operation_before (id_space, "id_operation", "step", "part", "what", "old", "new", "ids")
values ($1::uuid, $2::uuid, $3::int, $4::int, $5::text, $6::text::jsonb, $7::text::jsonb, $8::uuid[]);

-- selectChange
select event.seq, event.type, event.at, event.id_member, event.id_key, event.way, event.request_id, event.changed, (
  select jsonb_agg(jsonb_build_object('what', what, 'old', old, 'new', new))
  from operation_value
  where operation_value.id_space = $1 and operation_value.id_operation = event.id_operation and operation_value.step = event.step and operation_value.what <> 'kept' and $2::uuid = any(operation_value.ids)
) as kept
from event
join (
  select seq, request_id, at
  from event
  where id_space = $3 and seq = $4 and type in ('lead.updated', 'lead.deleted', 'lead.restored') and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(array[$5::uuid]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && array[$6::uuid])
) wanted on wanted.seq = event.seq or wanted.request_id = event.request_id and wanted.at = event.at
where event.id_space = $7 and type in ('lead.updated', 'lead.deleted', 'lead.restored') and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(array[$8::uuid]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && array[$9::uuid]) and event.seq between $10::bigint and $11::bigint
order by event.seq;

-- built at the start
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'status.created', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], $13::text::jsonb);

-- deleteStatus
delete from status
where id_space = $1 and id = $2
returning id;

-- deleteStatusesOfList
delete from status
where id_space = $1 and id_list = $2;

-- insertStatus
insert into status ("id_space", "id", "id_list", "name", "color", "success_rate", "type", "ai_enabled", "icon", "instructions", "ai_instructions_text", "ai_rules_text", "created_at", "updated_at", "order")
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce($15::float8, max("order") + 1, 0)
from status
where id_space = $16 and id_list is not distinct from $17::uuid
returning "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules";

-- insertStatus
insert into status ("id_space", "id", "name", "color", "success_rate", "ai_enabled", "type", "id_list", "icon", "instructions", "ai_instructions_text", "ai_rules_text", "created_at", "updated_at", "order")
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce($15::float8, max("order") + 1, 0)
from status
where id_space = $16 and id_list is not distinct from $17::uuid
returning "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules";

-- lockStatuses
select "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules"
from status
where id_space = $1 and id = any($2::uuid[])
order by id
for no key update;

-- remove
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'status.deleted', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], null::jsonb);

-- selectStatuses
select "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules"
from status
where id_space = $1
order by id_list nulls first, "order", id;

-- update
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
select $1::uuid, id, part, 'status.updated', at, member, key, way, request_id, operation, step, undo_of, ids, leads, changed
from json_to_recordset($2::text::json) as entry ( id uuid, part int, at timestamptz, member uuid, key uuid, way text, request_id text, operation uuid, step int, undo_of uuid, ids uuid[], leads uuid[], changed jsonb);

-- updateStatuses
with change as (
  select (value->>'id')::uuid as id_status, value
  from jsonb_array_elements($1::text::jsonb)
)
update status
set "order" = coalesce((change.value->>'order')::float8, status."order"), success_rate = coalesce((change.value->>'success_rate')::float8, status.success_rate), name = coalesce(change.value->>'name', status.name), color = coalesce(change.value->>'color', status.color), type = case when change.value ? 'type' then change.value->>'type' else status.type end, leads_order = case when change.value ? 'leads_order' then nullif(change.value->'leads_order', 'null'::jsonb) else status.leads_order end, updated_at = $2
from change
where status.id_space = $3 and status.id = change.id_status
returning "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules";

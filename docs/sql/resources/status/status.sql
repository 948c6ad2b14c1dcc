-- deleteStatus
delete from status
where id_space = $1 and id = $2
returning id, name;

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

-- selectStatuses
select "id", "type", "name", "color", "icon", "instructions", "id_list", "id_space", "created_at", "updated_at", "ai_instructions_text", "ai_rules_text", "order", "success_rate", "ai_enabled", "leads_order", "ai_instructions", "ai_rules"
from status
where id_space = $1
order by id_list nulls first, "order", id;

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

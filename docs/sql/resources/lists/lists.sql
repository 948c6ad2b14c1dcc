-- insertList
insert into list ("id_space", "emoji", "description", "color", "auto_status", "id", "name", "schema", "can_be_delete", "favorite", "attribute_definitions_order", "is_deleted", "created_at", "updated_at", "order")
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, coalesce($15::float8, max("order") + 1, 0)
from list
where id_space = $16 and not is_deleted
returning "id", "name", "emoji", "description", "schema", "id_space", "order", "created_at", "updated_at", "deleted_at", "can_be_delete", "is_deleted", "favorite", "attribute_definitions_order", "color", "auto_status";

-- lockList
select "id", "name", "emoji", "description", "schema", "id_space", "order", "created_at", "updated_at", "deleted_at", "can_be_delete", "is_deleted", "favorite", "attribute_definitions_order", "color", "auto_status"
from list
where id_space = $1 and id = $2 and not is_deleted
for no key update;

-- markListDeleted
update list
set is_deleted = true, deleted_at = $1, updated_at = $2
where id_space = $3 and id = $4 and not is_deleted
returning id, name;

-- removeAttributeFromLists
select id
from list
where id_space = $1 and $2::text = any(attribute_definitions_order)
order by id
for no key update;

-- removeAttributeFromLists
update list
set attribute_definitions_order = array_remove(attribute_definitions_order, $1::text)
where id_space = $2 and $3::text = any(attribute_definitions_order);

-- selectListCounts
with entries as materialized (
  select id_list, count(*) as count
  from lead_list
  where id_space = $1
  group by id_list
), deleted as materialized (
  select lead_list.id_list, count(*) as count
  from lead
  join lead_list on lead_list.id_space = $2 and lead_list.id_lead = lead.id
  where lead.id_space = $3 and lead.is_deleted
  group by lead_list.id_list
)
select list.id, (coalesce(entries.count, 0) - coalesce(deleted.count, 0))::int as leads
from list
left join entries on entries.id_list = list.id
left join deleted on deleted.id_list = list.id
where list.id_space = $4 and not list.is_deleted
order by list."order", list.id;

-- selectLists
select "id", "name", "emoji", "description", "schema", "id_space", "order", "created_at", "updated_at", "deleted_at", "can_be_delete", "is_deleted", "favorite", "attribute_definitions_order", "color", "auto_status"
from list
where id_space = $1 and not is_deleted
order by "order", id;

-- updateList
update list
set "name" = $1, "favorite" = $2, "updated_at" = $3
where id_space = $4 and id = $5 and not is_deleted
returning "id", "name", "emoji", "description", "schema", "id_space", "order", "created_at", "updated_at", "deleted_at", "can_be_delete", "is_deleted", "favorite", "attribute_definitions_order", "color", "auto_status";

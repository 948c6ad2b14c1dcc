-- deleteTag
delete from tag
where id_space = $1 and id = $2
returning id, name;

-- detachTagsOfList
update tag
set id_list = null
where id_space = $1 and id_list = $2;

-- insertTag
insert into tag ("id_space", "color", "id", "name", "icon", "show", "ai_enabled", "ai_instructions_text", "ai_rules_text", "created_at", "updated_at", "order")
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12::float8, max("order") + 1, 0)
from tag
where id_space = $13
returning "id", "name", "order", "show", "created_at", "updated_at", "color", "icon", "id_list", "id_space", "ai_enabled", "ai_instructions", "ai_instructions_text", "ai_rules", "ai_rules_text";

-- insertTag
insert into tag ("id_space", "id", "name", "color", "icon", "show", "ai_enabled", "ai_instructions_text", "ai_rules_text", "created_at", "updated_at", "order")
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12::float8, max("order") + 1, 0)
from tag
where id_space = $13
returning "id", "name", "order", "show", "created_at", "updated_at", "color", "icon", "id_list", "id_space", "ai_enabled", "ai_instructions", "ai_instructions_text", "ai_rules", "ai_rules_text";

-- lockTag
select "id", "name", "order", "show", "created_at", "updated_at", "color", "icon", "id_list", "id_space", "ai_enabled", "ai_instructions", "ai_instructions_text", "ai_rules", "ai_rules_text"
from tag
where id_space = $1 and id = $2
for no key update;

-- selectTags
select "id", "name", "order", "show", "created_at", "updated_at", "color", "icon", "id_list", "id_space", "ai_enabled", "ai_instructions", "ai_instructions_text", "ai_rules", "ai_rules_text"
from tag
where id_space = $1
order by "order", id;

-- updateTag
update tag
set "name" = $1, "color" = $2, "updated_at" = $3
where id_space = $4 and id = $5
returning "id", "name", "order", "show", "created_at", "updated_at", "color", "icon", "id_list", "id_space", "ai_enabled", "ai_instructions", "ai_instructions_text", "ai_rules", "ai_rules_text";

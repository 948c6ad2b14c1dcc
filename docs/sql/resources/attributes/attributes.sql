-- deleteAttribute
delete from attribute
where id_space = $1 and id = $2
returning id, name;

-- insertAttribute
insert into attribute ("id", "id_space", "type", "name", "description", "currency", "is_multi", "is_system", "created_at", "updated_at", "version", "slug")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (id_space, slug) do nothing
returning id;

-- insertAttribute
insert into attribute ("type", "name", "description", "id", "id_space", "slug", "currency", "is_multi", "is_system", "version", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (id_space, slug) do nothing
returning id;

-- insertOptions
insert into attribute_option (id_space, id_attribute, id, name, color, position)
select $1::uuid, $2::uuid, entry.id, entry.name, entry.color, entry.position
from jsonb_to_recordset($3::text::jsonb) as entry(id uuid, name text, color text, position integer);

-- lockAttribute
select id
from attribute
where id_space = $1 and id = $2
for update;

-- selectSlugs
select slug
from attribute
where id_space = $1;

-- updateAttribute
update attribute
set "description" = $1, "updated_at" = $2, version = version + 1
where id_space = $3 and id = $4;

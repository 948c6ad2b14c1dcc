-- lockAttributes
select id
from attribute
where id_space = $1 and id = any($2::uuid[])
order by id
for share;

-- selectAttributes
select "id", "id_space", "type", "slug", "name", "description", "currency", "created_at", "updated_at", "is_multi", "is_system", "version", coalesce((
  select jsonb_agg( jsonb_build_object('id', option.id, 'name', option.name, 'color', option.color) order by option.position)
  from attribute_option option
  where option.id_space = $1 and option.id_attribute = attribute.id
), '[]') as options
from attribute
where id_space = $2
order by created_at, id;

-- selectAttributes
select "id", "id_space", "type", "slug", "name", "description", "currency", "created_at", "updated_at", "is_multi", "is_system", "version", coalesce((
  select jsonb_agg( jsonb_build_object('id', option.id, 'name', option.name, 'color', option.color) order by option.position)
  from attribute_option option
  where option.id_space = $1 and option.id_attribute = attribute.id
), '[]') as options
from attribute
where id_space = $2 and id = any($3::uuid[])
order by created_at, id;

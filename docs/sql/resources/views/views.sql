-- deleteView
delete from saved_view
where id_space = $1 and id = $2;

-- detachViewsOfList
update saved_view
set id_list = null
where id_space = $1 and id_list = $2;

-- insertView
insert into saved_view ("id", "id_member", "name", "filter", "orderBy", "columns", "mode", "id_list", "shared", "id_space", "created_at", "updated_at", "order")
select $1, $2, $3, $4::text::jsonb, $5::text::jsonb, $6::text::jsonb, $7, $8, $9, $10, $11, $12, coalesce($13::float8, max("order") + 1, 0)
from saved_view
where id_space = $14
returning "id", "name", "filter", "orderBy", "columns", "mode", "shared", "id_list", "order", "id_member", "id_space", "created_at", "updated_at";

-- lockView
select "id", "name", "filter", "orderBy", "columns", "mode", "shared", "id_list", "order", "id_member", "id_space", "created_at", "updated_at", exists (
  select 1
  from view_favorite
  where view_favorite.id_space = $1 and view_favorite.id_view = saved_view.id and view_favorite.id_member = $2
) as favorite
from saved_view
where id_space = $3 and id = $4 and (shared or id_member = $5)
for update;

-- selectViews
select "id", "name", "filter", "orderBy", "columns", "mode", "shared", "id_list", "order", "id_member", "id_space", "created_at", "updated_at", exists (
  select 1
  from view_favorite
  where view_favorite.id_space = $1 and view_favorite.id_view = saved_view.id and view_favorite.id_member = $2
) as favorite
from saved_view
where id_space = $3 and (shared or id_member = $4)
order by "order", id;

-- updateView
update saved_view
set "name" = $1, "shared" = $2, "id_member" = $3, "updated_at" = $4
where id_space = $5 and id = $6
returning "id", "name", "filter", "orderBy", "columns", "mode", "shared", "id_list", "order", "id_member", "id_space", "created_at", "updated_at";

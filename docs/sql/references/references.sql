-- lockListsOf
select id
from list
where id_space = $1 and not is_deleted and (id = any($2::uuid[]) or id in (
  select id_list
  from status
  where id_space = $3 and id = any($4::uuid[])
))
order by id
for share nowait;

-- selectReferences
select 'lead' as kind, id, null::uuid as id_list
from lead
where id_space = $1 and id = any($2::uuid[]) and not is_deleted;

-- selectReferences
select 'list' as kind, id, null::uuid as id_list
from list
where id_space = $1 and id = any($2::uuid[]) and not is_deleted
union all
select 'status' as kind, id, id_list as id_list
from status
where id_space = $3 and id = any($4::uuid[]) and true
union all
select 'tag' as kind, id, null::uuid as id_list
from tag
where id_space = $5 and id = any($6::uuid[]) and true
union all
select 'member' as kind, id, null::uuid as id_list
from member
where id_space = $7 and id = any($8::uuid[]) and true
union all
select 'campaign' as kind, id, null::uuid as id_list
from campaign
where id_space = $9 and id = any($10::uuid[]) and not is_deleted;

-- selectReferences
select 'status' as kind, id, id_list as id_list
from status
where id_space = $1 and id = any($2::uuid[]) and true;

-- selectReferences
select id
from list
where id_space = $1 and not is_deleted and (id = any($2::uuid[]) or id in (
  select id_list
  from status
  where id_space = $3 and id = any($4::uuid[])
))
order by id
for share;

-- selectReferences
select id
from status
where id_space = $1 and id = any($2::uuid[])
order by id
for key share;

-- selectReferences
select id
from tag
where id_space = $1 and id = any($2::uuid[])
order by id
for key share;

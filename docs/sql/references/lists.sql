-- lockLists
select id
from list
where id_space = $1 and id = any($2::uuid[]) and not is_deleted
order by id
for share;

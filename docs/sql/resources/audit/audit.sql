-- list
select id, at, id_member, id_key, way, request_id, action, about
from audit
where id_space = $1
order by id desc
limit $2;

-- lockColumn
select id
from status
where id_space = $1 and id = $2
for no key update;

-- lockColumn
update status
set leads_order = null, updated_at = $1
where id_space = $2 and id = $3 and leads_order is not null;

-- writePlace
insert into lead_status (id_space, id_lead, id_status, id_list, place)
values ($1, $2, $3, $4, $5::bytea)
on conflict (id_space, id_lead, id_group) do update
set id_status = excluded.id_status, place = excluded.place;

-- writePlace
select place
from lead_status
where lead_status.id_space = $1 and lead_status.id_status = $2 and id_lead <> $3 and true
order by place desc
limit 1;

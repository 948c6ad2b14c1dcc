-- keepMade
insert into operation_before (id_space, id_operation, step, part, what, new, ids)
select $1::uuid, $2::uuid, $3::int, part, $4, value, ids
from jsonb_to_recordset($5::text::jsonb) as entry (part int, value jsonb, ids uuid[]);

-- selectMade
select new as value, ids
from operation_before
where id_space = $1 and id_operation = $2 and what = $3
order by step, part;

-- insertRejected
insert into import_rejected (id_space, id_import, row_number, content)
select $1::uuid, $2::uuid, $3::bigint, $4::bytea
on conflict (id_space, id_import, row_number) do nothing;

-- selectRejected
select row_number::float8 as row_number, content
from import_rejected
where id_space = $1 and id_import = $2 and row_number > $3
order by row_number
limit 1;

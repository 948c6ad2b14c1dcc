-- endImport
insert into notification (id_space, id, id_member, kind, id_actor, id_lead, id_record, count, created_at)
select $1::uuid, id, id_member, kind, id_actor, id_lead, id_record, count, created_at
from json_to_recordset($2::text::json) as entry (id uuid, id_member uuid, kind text, id_actor uuid, id_lead uuid, id_record uuid, count int, created_at timestamptz)
on conflict (id_space, id_member, kind, id_record)
where kind in ('assigned', 'mention') do update
set count = excluded.count;

-- endImport
select pg_notify($1, $2 || ' ' || member)
from unnest($3::text[]) as member;

-- finish
insert into notification (id_space, "id", "id_member", "kind", "id_actor", "id_lead", "id_record", "count", "created_at")
values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::uuid, $6::uuid, $7::uuid, $8::int, $9::timestamptz)
on conflict (id_space, id_member, kind, id_record)
where kind in ('assigned', 'mention') do update
set count = excluded.count;

-- finish
select pg_notify($1, $2 || ' ' || member)
from unnest($3::text[]) as member;

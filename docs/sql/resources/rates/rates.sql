-- built at the start
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'rate.created', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], $13::text::jsonb);

-- deleteRate
delete from rate
where id_space = $1 and id = $2
returning id;

-- lockRate
select "id", "base", "currency", "rate", "date", "created_at", "updated_at", "id_space"
from rate
where id_space = $1 and base = $2 and currency = $3
for no key update;

-- remove
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'rate.deleted', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], null::jsonb);

-- selectRates
select "id", "base", "currency", "rate", "date", "created_at", "updated_at", "id_space"
from rate
where id_space = $1
order by base, currency;

-- upsertRate
insert into rate ("id_space", "id", "base", "currency", "rate", "date", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (id_space, base, currency) do update
set rate = excluded.rate, date = excluded.date, updated_at = excluded.updated_at
returning "id", "base", "currency", "rate", "date", "created_at", "updated_at", "id_space";

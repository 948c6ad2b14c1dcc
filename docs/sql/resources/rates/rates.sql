-- deleteRate
delete from rate
where id_space = $1 and id = $2
returning "id", "base", "currency", "rate", "date", "created_at", "updated_at", "id_space";

-- lockRate
select "id", "base", "currency", "rate", "date", "created_at", "updated_at", "id_space"
from rate
where id_space = $1 and base = $2 and currency = $3
for no key update;

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

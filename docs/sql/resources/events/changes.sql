-- listChanges
select (
  select (date_trunc('week', $1::timestamptz at time zone time_zone) + $2::int * interval '1 week') at time zone time_zone
  from space
  where id_space = $3
) as start, (
  select (date_trunc('week', $4::timestamptz at time zone time_zone) + $5::int * interval '1 week' + $6::int * interval '1 week') at time zone time_zone
  from space
  where id_space = $7
) as "end";

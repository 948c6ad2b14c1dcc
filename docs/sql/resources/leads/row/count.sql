-- changeCount
insert into lead_count (id_space, slot, count)
values ($1, pg_backend_pid() % 64, $2)
on conflict (id_space, slot) do update
set count = lead_count.count + excluded.count;

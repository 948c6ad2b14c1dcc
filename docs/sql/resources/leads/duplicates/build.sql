-- buildAgain
insert into lead_key_build (id_space)
values ($1)
on conflict (id_space) do update
set id_last = null, done = 0;

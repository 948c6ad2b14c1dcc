-- buildAgain
insert into lead_key_due (id_space, id)
values ($1, $2)
on conflict (id_space, id) do update
set id_last = null, done = 0;

-- buildBatch
delete from lead_key
where id_space = $1 and id_lead = any($2::uuid[]);

-- buildBatch
delete from lead_key_due
where id_space = $1 and id = any($2::uuid[]);

-- buildBatch
insert into lead_key (id_space, "kind", "key", "id_lead")
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry ("kind" smallint, "key" text, "id_lead" uuid);

-- buildBatch
insert into lead_key (id_space, "kind", "key", "id_lead")
values ($1::uuid, $2::smallint, $3::text, $4::uuid);

-- buildBatch
select id, ids, id_last
from lead_key_due
where id_space = $1
order by ids is null, id
limit $2
for update;

-- buildBatch
select id, is_deleted, "first_name", "last_name", "company", "is_company", "email", "other_emails", "phone", "other_phones", "linkedin_url", "website_url", "timezone"
from lead
where id_space = $1 and id = any($2::uuid[]);

-- buildBatch
select id, is_deleted, "first_name", "last_name", "company", "is_company", "email", "other_emails", "phone", "other_phones", "linkedin_url", "website_url", "timezone"
from lead
where id_space = $1 and id > $2
order by id
limit $3;

-- buildBatch
select pg_try_advisory_xact_lock($1::int, hashtext($2)) as is_ours;

-- buildBatch
select wanted.id
from unnest($1::uuid[]) as wanted (id)
cross join lateral (
  select
  from lead_key
  where lead_key.id_space = $2 and lead_key.id_lead = wanted.id
  limit 1
) found;

-- hasDue
select
from lead_key_due
where id_space = $1
limit 1;

-- selectBuilding
select coalesce(sum(cardinality(ids)), 0)::int as named, max(done) filter (where ids is null) as done, (
  select count(*)::int
  from lead
  where id_space = $1
) as of
from lead_key_due
where id_space = $2
having count(*) > 0;

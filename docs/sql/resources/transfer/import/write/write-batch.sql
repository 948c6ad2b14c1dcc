-- writePlan
insert into lead (id_space, "first_name", "email", "company", "id", "attributes", "usersId", "created_at", "updated_at")
values ($1::uuid, $2::text, $3::text, $4::text, $5::uuid, $6::text::jsonb, $7::uuid, $8::timestamptz, $9::timestamptz);

-- writePlan
insert into lead_key_due (id_space, id, ids)
values ($1, $2, $3::uuid[]);

-- writePlan
insert into lead_list (id_space, "id_lead", "id_list")
values ($1::uuid, $2::uuid, $3::uuid);

-- writePlan
insert into lead_search (id_space, "id_lead", "text")
values ($1::uuid, $2::uuid, $3::text);

-- writePlan
insert into lead_tag (id_space, "id_lead", "id_tag")
values ($1::uuid, $2::uuid, $3::uuid);

-- writePlan
select id
from tag
where id_space = $1 and id = any($2::uuid[])
order by id
for key share;

-- writePlan
select set_config('session_replication_role', 'replica', true)
where has_parameter_privilege('session_replication_role', 'SET');

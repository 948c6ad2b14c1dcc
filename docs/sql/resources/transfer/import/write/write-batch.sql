-- writePlan
insert into lead (id_space, "first_name", "email", "company", "id", "attributes", "usersId", "created_at", "updated_at")
select $1::uuid, "first_name", "email", "company", "id", "attributes", "usersId", "created_at", "updated_at"
from json_to_recordset($2::text::json) as entry ("first_name" text, "email" text, "company" text, "id" uuid, "attributes" jsonb, "usersId" uuid, "created_at" timestamptz, "updated_at" timestamptz);

-- writePlan
insert into lead_list (id_space, id_lead, id_list)
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry (id uuid, id_record uuid);

-- writePlan
insert into lead_search (id_space, id_lead, text)
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry (id uuid, text text);

-- writePlan
insert into lead_tag (id_space, id_lead, id_tag)
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry (id uuid, id_record uuid);

-- writePlan
select id
from tag
where id_space = $1 and id = any($2::uuid[])
order by id
for key share;

-- writePlan
select set_config('session_replication_role', 'replica', true)
where has_parameter_privilege('session_replication_role', 'SET');

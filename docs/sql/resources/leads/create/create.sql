-- writeGroup
with part_3 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_2 as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $3::uuid, id, part, 'lead.created', at, member, key, way, request_id, operation, step, undo_of, ids, leads, changed
  from json_to_recordset($4::text::json) as entry ( id uuid, part int, at timestamptz, member uuid, key uuid, way text, request_id text, operation uuid, step int, undo_of uuid, ids uuid[], leads uuid[], changed jsonb)
), part_1 as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $5::uuid, entry.*
  from json_to_recordset($6::text::json) as entry (id uuid, id_record uuid)
), part_0 as (
  insert into lead_search (id_space, id_lead, text)
  select $7::uuid, entry.*
  from json_to_recordset($8::text::json) as entry (id uuid, text text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
select $9::uuid, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields"
from json_to_recordset($10::text::json) as entry ("id" uuid, "created_at" timestamptz, "updated_at" timestamptz, "usersId" uuid, "attributes" jsonb, "company_claim" text, "email" text, "company" text, "phone" text, "other_emails" jsonb, "other_phones" jsonb, "linkedin_url" text, "linkedin_company_url" text, "facebook_username" text, "youtube_username" text, "instagram_username" text, "telegram_username" text, "whatsapp_username" text, "first_name" text, "last_name" text, "icebreaker" text, "icebreaker_2" text, "icebreaker_3" text, "icebreaker_4" text, "website_url" text, "city" text, "company_role" text, "twitter_name" text, "twitter_company_name" text, "avatar_url" text, "contract_currency" text, "contract_name" text, "id_linkedin" text, "id_twitter" text, "email_bounce_score" integer, "contract_value" numeric, "lost_reason" text, "is_company" boolean, "is_contract" boolean, "is_draft" boolean, "custom_fields" jsonb);

-- writeGroup
with part_6 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_5 as (
  insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
  select $3::uuid, id, part, 'lead.created', at, member, key, way, request_id, operation, step, undo_of, ids, leads, changed
  from json_to_recordset($4::text::json) as entry ( id uuid, part int, at timestamptz, member uuid, key uuid, way text, request_id text, operation uuid, step int, undo_of uuid, ids uuid[], leads uuid[], changed jsonb)
), part_4 as (
  insert into lead_owner (id_space, id_lead, id_member)
  select $5::uuid, entry.*
  from json_to_recordset($6::text::json) as entry (id uuid, id_record uuid)
), part_3 as (
  insert into lead_tag (id_space, id_lead, id_tag)
  select $7::uuid, entry.*
  from json_to_recordset($8::text::json) as entry (id uuid, id_record uuid)
), part_2 as (
  insert into lead_status (id_space, id_lead, id_status, id_list, entered_at, place)
  select $9::uuid, entry.*
  from json_to_recordset($10::text::json) as entry (id uuid, id_status uuid, id_list uuid, entered_at timestamptz, place bytea)
), part_1 as (
  insert into lead_list (id_space, id_lead, id_list)
  select $11::uuid, entry.*
  from json_to_recordset($12::text::json) as entry (id uuid, id_record uuid)
), part_0 as (
  insert into lead_search (id_space, id_lead, text)
  select $13::uuid, entry.*
  from json_to_recordset($14::text::json) as entry (id uuid, text text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
select $15::uuid, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields"
from json_to_recordset($16::text::json) as entry ("id" uuid, "created_at" timestamptz, "updated_at" timestamptz, "usersId" uuid, "attributes" jsonb, "company_claim" text, "email" text, "company" text, "phone" text, "other_emails" jsonb, "other_phones" jsonb, "linkedin_url" text, "linkedin_company_url" text, "facebook_username" text, "youtube_username" text, "instagram_username" text, "telegram_username" text, "whatsapp_username" text, "first_name" text, "last_name" text, "icebreaker" text, "icebreaker_2" text, "icebreaker_3" text, "icebreaker_4" text, "website_url" text, "city" text, "company_role" text, "twitter_name" text, "twitter_company_name" text, "avatar_url" text, "contract_currency" text, "contract_name" text, "id_linkedin" text, "id_twitter" text, "email_bounce_score" integer, "contract_value" numeric, "lost_reason" text, "is_company" boolean, "is_contract" boolean, "is_draft" boolean, "custom_fields" jsonb);

-- writeOrders
select 'company' as kind, null::uuid as id, null::uuid as id_list, name, claim
from (
  select wanted.name, md5(lower(wanted.name)) as claim
  from unnest($1::text[]) as wanted (name)
  left join lateral (
    select lead.id
    from lead
    where lead.id_space = $2 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(wanted.name, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(wanted.name, e' \t\r\n\u00a0'))
    limit 1
  ) found on true
  where found.id is null
) company;

-- writeOrders
select id, version
from attribute
where id_space = $1 and id = any($2::uuid[])
order by id
for share nowait;

-- writeOrders
select kind, id, id_list, null as name, null as claim
from (
  select 'status' as kind, id, id_list as id_list
  from status
  where id_space = $1 and id = any($2::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'tag' as kind, id, null::uuid as id_list
  from tag
  where id_space = $3 and id = any($4::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'member' as kind, id, null::uuid as id_list
  from member
  where id_space = $5 and id = any($6::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'start' as kind, id, id_list
  from (
    select distinct on (status.id_list) status.id, status.id_list
    from list
    join status on status.id_space = $7 and status.id_list = list.id
    where list.id_space = $8 and list.id = any($9::uuid[]) and list.auto_status
    order by status.id_list, status."order", status.id
  ) start
) record
union all
select 'company' as kind, null::uuid as id, null::uuid as id_list, name, claim
from (
  select wanted.name, md5(lower(wanted.name)) as claim
  from unnest($10::text[]) as wanted (name)
  left join lateral (
    select lead.id
    from lead
    where lead.id_space = $11 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(wanted.name, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(wanted.name, e' \t\r\n\u00a0'))
    limit 1
  ) found on true
  where found.id is null
) company;

-- writeOrders
select kind, id, id_list, null as name, null as claim
from (
  select 'status' as kind, id, id_list as id_list
  from status
  where id_space = $1 and id = any($2::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'tag' as kind, id, null::uuid as id_list
  from tag
  where id_space = $3 and id = any($4::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'member' as kind, id, null::uuid as id_list
  from member
  where id_space = $5 and id = any($6::uuid[]) and true
) record
union all
select kind, id, id_list, null as name, null as claim
from (
  select 'start' as kind, id, id_list
  from (
    select distinct on (status.id_list) status.id, status.id_list
    from list
    join status on status.id_space = $7 and status.id_list = list.id
    where list.id_space = $8 and list.id = any($9::uuid[]) and list.auto_status
    order by status.id_list, status."order", status.id
  ) start
) record;

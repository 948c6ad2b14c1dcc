-- writeGroup
with part_3 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_2 as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  values ($3::uuid, $4::uuid, $5::int, $6::text, $7::timestamptz, $8::uuid, $9::uuid, $10::text, $11::text, $12::uuid, $13::int, $14::uuid, $15::uuid[], $16::uuid[], $17::text::jsonb)
), part_1 as (
  insert into lead_owner (id_space, "id_lead", "id_member")
  values ($18::uuid, $19::uuid, $20::uuid)
), part_0 as (
  insert into lead_search (id_space, "id_lead", "text")
  values ($21::uuid, $22::uuid, $23::text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
values ($24::uuid, $25::uuid, $26::timestamptz, $27::timestamptz, $28::uuid, $29::text::jsonb, $30::text, $31::text, $32::text, $33::text, $34::text::jsonb, $35::text::jsonb, $36::text, $37::text, $38::text, $39::text, $40::text, $41::text, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::text, $57::text, $58::text, $59::integer, $60::numeric, $61::text, $62::boolean, $63::boolean, $64::boolean, $65::text::jsonb);

-- writeGroup
with part_4 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_3 as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $3::uuid, entry.*
  from json_to_recordset($4::text::json) as entry ("id" uuid, "part" int, "type" text, "at" timestamptz, "id_member" uuid, "id_key" uuid, "way" text, "request_id" text, "id_operation" uuid, "step" int, "undo_of" uuid, "ids" uuid[], "leads" uuid[], "changed" jsonb)
), part_2 as (
  insert into lead_owner (id_space, "id_lead", "id_member")
  values ($5::uuid, $6::uuid, $7::uuid)
), part_1 as (
  insert into lead_key (id_space, "kind", "key", "id_lead")
  select $8::uuid, entry.*
  from json_to_recordset($9::text::json) as entry ("kind" smallint, "key" text, "id_lead" uuid)
), part_0 as (
  insert into lead_search (id_space, "id_lead", "text")
  select $10::uuid, entry.*
  from json_to_recordset($11::text::json) as entry ("id_lead" uuid, "text" text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
select $12::uuid, entry.*
from json_to_recordset($13::text::json) as entry ("id" uuid, "created_at" timestamptz, "updated_at" timestamptz, "usersId" uuid, "attributes" jsonb, "company_claim" text, "email" text, "company" text, "phone" text, "other_emails" jsonb, "other_phones" jsonb, "linkedin_url" text, "linkedin_company_url" text, "facebook_username" text, "youtube_username" text, "instagram_username" text, "telegram_username" text, "whatsapp_username" text, "first_name" text, "last_name" text, "icebreaker" text, "icebreaker_2" text, "icebreaker_3" text, "icebreaker_4" text, "website_url" text, "city" text, "company_role" text, "twitter_name" text, "twitter_company_name" text, "avatar_url" text, "contract_currency" text, "contract_name" text, "id_linkedin" text, "id_twitter" text, "email_bounce_score" integer, "contract_value" numeric, "lost_reason" text, "is_company" boolean, "is_contract" boolean, "is_draft" boolean, "custom_fields" jsonb);

-- writeGroup
with part_4 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_3 as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  values ($3::uuid, $4::uuid, $5::int, $6::text, $7::timestamptz, $8::uuid, $9::uuid, $10::text, $11::text, $12::uuid, $13::int, $14::uuid, $15::uuid[], $16::uuid[], $17::text::jsonb)
), part_2 as (
  insert into lead_owner (id_space, "id_lead", "id_member")
  values ($18::uuid, $19::uuid, $20::uuid)
), part_1 as (
  insert into lead_key (id_space, "kind", "key", "id_lead")
  select $21::uuid, entry.*
  from json_to_recordset($22::text::json) as entry ("kind" smallint, "key" text, "id_lead" uuid)
), part_0 as (
  insert into lead_search (id_space, "id_lead", "text")
  values ($23::uuid, $24::uuid, $25::text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
values ($26::uuid, $27::uuid, $28::timestamptz, $29::timestamptz, $30::uuid, $31::text::jsonb, $32::text, $33::text, $34::text, $35::text, $36::text::jsonb, $37::text::jsonb, $38::text, $39::text, $40::text, $41::text, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::text, $57::text, $58::text, $59::text, $60::text, $61::integer, $62::numeric, $63::text, $64::boolean, $65::boolean, $66::boolean, $67::text::jsonb);

-- writeGroup
with part_6 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_5 as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  values ($3::uuid, $4::uuid, $5::int, $6::text, $7::timestamptz, $8::uuid, $9::uuid, $10::text, $11::text, $12::uuid, $13::int, $14::uuid, $15::uuid[], $16::uuid[], $17::text::jsonb)
), part_4 as (
  insert into lead_owner (id_space, "id_lead", "id_member")
  select $18::uuid, entry.*
  from json_to_recordset($19::text::json) as entry ("id_lead" uuid, "id_member" uuid)
), part_3 as (
  insert into lead_tag (id_space, "id_lead", "id_tag")
  values ($20::uuid, $21::uuid, $22::uuid)
), part_2 as (
  insert into lead_status (id_space, "id_lead", "id_status", "id_list", "entered_at", "place")
  select $23::uuid, entry.*
  from json_to_recordset($24::text::json) as entry ("id_lead" uuid, "id_status" uuid, "id_list" uuid, "entered_at" timestamptz, "place" bytea)
), part_1 as (
  insert into lead_list (id_space, "id_lead", "id_list")
  select $25::uuid, entry.*
  from json_to_recordset($26::text::json) as entry ("id_lead" uuid, "id_list" uuid)
), part_0 as (
  insert into lead_search (id_space, "id_lead", "text")
  values ($27::uuid, $28::uuid, $29::text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
values ($30::uuid, $31::uuid, $32::timestamptz, $33::timestamptz, $34::uuid, $35::text::jsonb, $36::text, $37::text, $38::text, $39::text, $40::text::jsonb, $41::text::jsonb, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::text, $57::text, $58::text, $59::text, $60::text, $61::text, $62::text, $63::text, $64::text, $65::integer, $66::numeric, $67::text, $68::boolean, $69::boolean, $70::boolean, $71::text::jsonb);

-- writeGroup
with part_7 as (
  insert into lead_count (id_space, slot, count)
  values ($1, pg_backend_pid() % 64, $2)
  on conflict (id_space, slot) do update
  set count = lead_count.count + excluded.count
), part_6 as (
  insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
  select $3::uuid, entry.*
  from json_to_recordset($4::text::json) as entry ("id" uuid, "part" int, "type" text, "at" timestamptz, "id_member" uuid, "id_key" uuid, "way" text, "request_id" text, "id_operation" uuid, "step" int, "undo_of" uuid, "ids" uuid[], "leads" uuid[], "changed" jsonb)
), part_5 as (
  insert into lead_owner (id_space, "id_lead", "id_member")
  select $5::uuid, entry.*
  from json_to_recordset($6::text::json) as entry ("id_lead" uuid, "id_member" uuid)
), part_4 as (
  insert into lead_tag (id_space, "id_lead", "id_tag")
  values ($7::uuid, $8::uuid, $9::uuid)
), part_3 as (
  insert into lead_status (id_space, "id_lead", "id_status", "id_list", "entered_at", "place")
  values ($10::uuid, $11::uuid, $12::uuid, $13::uuid, $14::timestamptz, $15::text::bytea)
), part_2 as (
  insert into lead_list (id_space, "id_lead", "id_list")
  select $16::uuid, entry.*
  from json_to_recordset($17::text::json) as entry ("id_lead" uuid, "id_list" uuid)
), part_1 as (
  insert into lead_key (id_space, "kind", "key", "id_lead")
  select $18::uuid, entry.*
  from json_to_recordset($19::text::json) as entry ("kind" smallint, "key" text, "id_lead" uuid)
), part_0 as (
  insert into lead_search (id_space, "id_lead", "text")
  select $20::uuid, entry.*
  from json_to_recordset($21::text::json) as entry ("id_lead" uuid, "text" text)
)
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "other_emails", "other_phones", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "lost_reason", "is_company", "is_contract", "is_draft", "custom_fields")
select $22::uuid, entry.*
from json_to_recordset($23::text::json) as entry ("id" uuid, "created_at" timestamptz, "updated_at" timestamptz, "usersId" uuid, "attributes" jsonb, "company_claim" text, "email" text, "company" text, "phone" text, "other_emails" jsonb, "other_phones" jsonb, "linkedin_url" text, "linkedin_company_url" text, "facebook_username" text, "youtube_username" text, "instagram_username" text, "telegram_username" text, "whatsapp_username" text, "first_name" text, "last_name" text, "icebreaker" text, "icebreaker_2" text, "icebreaker_3" text, "icebreaker_4" text, "website_url" text, "city" text, "company_role" text, "twitter_name" text, "twitter_company_name" text, "avatar_url" text, "contract_currency" text, "contract_name" text, "id_linkedin" text, "id_twitter" text, "email_bounce_score" integer, "contract_value" numeric, "lost_reason" text, "is_company" boolean, "is_contract" boolean, "is_draft" boolean, "custom_fields" jsonb);

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
) company
union all
select 'like' as kind, id_lead as id, null::uuid as id_list, key as name, kind::text as claim
from (
  select wanted.kind, wanted.key, found.id_lead
  from unnest($3::smallint[], $4::text[]) as wanted (kind, key)
  cross join lateral (
    select lead_key.id_lead
    from lead_key
    where lead_key.id_space = $5 and lead_key.kind = wanted.kind and lead_key.key = wanted.key
    order by lead_key.id_lead
    limit 5
  ) found
) alike
union all
select 'zone' as kind, null::uuid as id, null::uuid as id_list, time_zone as name, null as claim
from (
  select time_zone
  from space
  where id_space = $6
) home;

-- writeOrders
select 'zone' as kind, null::uuid as id, null::uuid as id_list, time_zone as name, null as claim
from (
  select time_zone
  from space
  where id_space = $1
) home;

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
) company
union all
select 'like' as kind, id_lead as id, null::uuid as id_list, key as name, kind::text as claim
from (
  select wanted.kind, wanted.key, found.id_lead
  from unnest($12::smallint[], $13::text[]) as wanted (kind, key)
  cross join lateral (
    select lead_key.id_lead
    from lead_key
    where lead_key.id_space = $14 and lead_key.kind = wanted.kind and lead_key.key = wanted.key
    order by lead_key.id_lead
    limit 5
  ) found
) alike
union all
select 'zone' as kind, null::uuid as id, null::uuid as id_list, time_zone as name, null as claim
from (
  select time_zone
  from space
  where id_space = $15
) home;

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
select 'zone' as kind, null::uuid as id, null::uuid as id_list, time_zone as name, null as claim
from (
  select time_zone
  from space
  where id_space = $10
) home;

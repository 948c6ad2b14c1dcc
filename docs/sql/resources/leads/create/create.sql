-- writeGroup
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
select $1::uuid, id, part, 'lead.created', at, member, key, way, request_id, operation, step, undo_of, ids, leads, changed
from json_to_recordset($2::text::json) as entry ( id uuid, part int, at timestamptz, member uuid, key uuid, way text, request_id text, operation uuid, step int, undo_of uuid, ids uuid[], leads uuid[], changed jsonb);

-- writeGroup
insert into lead (id_space, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "is_company", "is_contract", "is_draft", "custom_fields")
select $1::uuid, "id", "created_at", "updated_at", "usersId", "attributes", "company_claim", "email", "company", "phone", "linkedin_url", "linkedin_company_url", "facebook_username", "youtube_username", "instagram_username", "telegram_username", "whatsapp_username", "first_name", "last_name", "icebreaker", "icebreaker_2", "icebreaker_3", "icebreaker_4", "website_url", "city", "company_role", "twitter_name", "twitter_company_name", "avatar_url", "contract_currency", "contract_name", "id_linkedin", "id_twitter", "email_bounce_score", "contract_value", "is_company", "is_contract", "is_draft", "custom_fields"
from json_to_recordset($2::text::json) as entry ("id" uuid, "created_at" timestamptz, "updated_at" timestamptz, "usersId" uuid, "attributes" jsonb, "company_claim" text, "email" text, "company" text, "phone" text, "linkedin_url" text, "linkedin_company_url" text, "facebook_username" text, "youtube_username" text, "instagram_username" text, "telegram_username" text, "whatsapp_username" text, "first_name" text, "last_name" text, "icebreaker" text, "icebreaker_2" text, "icebreaker_3" text, "icebreaker_4" text, "website_url" text, "city" text, "company_role" text, "twitter_name" text, "twitter_company_name" text, "avatar_url" text, "contract_currency" text, "contract_name" text, "id_linkedin" text, "id_twitter" text, "email_bounce_score" integer, "contract_value" bigint, "is_company" boolean, "is_contract" boolean, "is_draft" boolean, "custom_fields" jsonb);

-- writeGroup
insert into lead_count (id_space, slot, count)
values ($1, pg_backend_pid() % 64, $2)
on conflict (id_space, slot) do update
set count = lead_count.count + excluded.count;

-- writeGroup
insert into lead_owner (id_space, id_lead, id_member)
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry (id uuid, id_record uuid);

-- writeGroup
insert into lead_search (id_space, id_lead, text)
select $1::uuid, entry.*
from json_to_recordset($2::text::json) as entry (id uuid, text text);

-- writeOrders
select id, version
from attribute
where id_space = $1 and id = any($2::uuid[])
order by id
for share nowait;

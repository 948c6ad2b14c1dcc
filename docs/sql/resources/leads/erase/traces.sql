-- eachTexts
select "id"::text as key_0, "about"::text as "about"
from audit
where id_space = $1 and action = 'leads.exported'
order by "id"
limit $2;

-- eachTexts
select "id"::text as key_0, "file"::text as "file"
from import_progress
where id_space = $1 and true
order by "id"
limit $2;

-- eachTexts
select "id"::text as key_0, "filter"::text as "filter", "data"::text as "data", "error"::text as "error"
from operation
where id_space = $1 and true
order by "id"
limit $2;

-- eachTexts
select "id"::text as key_0, "name"::text as "name", "filter"::text as "filter"
from saved_view
where id_space = $1 and true
order by "id"
limit $2;

-- eachTexts
select "id"::text as key_0, "name"::text as "name", "filter"::text as "filter"
from webhook
where id_space = $1 and true
order by "id"
limit $2;

-- eachTexts
select "id"::text as key_0, "part"::text as key_1, "changed"::text as "changed"
from event_new
where id_space = $1 and type like 'view.%'
order by "id", "part"
limit $2;

-- eachTexts
select "id_import"::text as key_0, "row_number"::text as key_1, "content"
from import_rejected
where id_space = $1 and true
order by "id_import", "row_number"
limit $2;

-- eachTexts
select "id_key"::text as key_0, "key"::text as key_1, "key"::text as "key", "answer"::text as "answer"
from idempotency
where id_space = $1 and true
order by "id_key", "key"
limit $2;

-- eachTexts
select "seq"::text as key_0, "changed"::text as "changed"
from event
where id_space = $1 and type like 'view.%'
order by "seq"
limit $2;

-- selectKept
select key from unnest($1::text[]) as wanted (key)
where (exists (
  select
  from lead
  where lead.id_space = $2 and not lead.is_deleted and lead.email is not null and left(lower(btrim(lead.email, e' \t\r\n\u00a0')), 255) in (left(key, 255))
) or exists (
  select
  from lead
  where lead.id_space = $3 and not lead.is_deleted and lead.other_emails is not null and string_to_array(regexp_replace(lower(jsonb_path_query_array(lead.other_emails, '$[*].value')::text), '^\["|"\]$', '', 'g'), '", "') && array[left(key, 255)]
)) or (exists (
  select
  from lead
  where lead.id_space = $4 and not lead.is_deleted and lead.phone is not null and left(regexp_replace(lead.phone, '\D', '', 'g'), 255) in (key, '0' || key, '00' || key)
) or exists (
  select
  from lead
  where lead.id_space = $5 and not lead.is_deleted and lead.other_phones is not null and string_to_array(regexp_replace(jsonb_path_query_array(lead.other_phones, '$[*].value')::text, '\\.|[^0-9"]', '', 'g'), '"') && array[key, '0' || key, '00' || key]
));

-- selectNames
select lead.id, lead.is_company, jsonb_build_object( case when attribute.type = any($1::text[]) then 'email' else 'phone' end, value) as
values
from (
  select unnest(($2::uuid[])[$3::int:$4::int]) as id
) own
join lead on lead.id_space = $5 and lead.id = own.id, lateral jsonb_each(lead.attributes) as each (key, value)
join attribute on attribute.id_space = $6 and attribute.id::text = key and attribute.type = any($7::text[])
where lead.id_space = $8;

-- selectNames
select lead.id, lead.is_company, jsonb_strip_nulls(to_jsonb(named)) as
values
from (
  select unnest(($1::uuid[])[$2::int:$3::int]) as id
) own
join lead on lead.id_space = $4 and lead.id = own.id, lateral (
  select lead.email, lead.phone, lead.linkedin_url, lead.facebook_username, lead.youtube_username, lead.instagram_username, lead.telegram_username, lead.whatsapp_username, lead.twitter_name, lead.first_name, lead.last_name, lead.company, lead.other_emails, lead.other_phones
) named;

-- selectNames
select own.id, false as is_company, jsonb_strip_nulls(jsonb_build_object('email', changed -> 'email', 'phone', changed -> 'phone', 'linkedin_url', changed -> 'linkedin_url', 'facebook_username', changed -> 'facebook_username', 'youtube_username', changed -> 'youtube_username', 'instagram_username', changed -> 'instagram_username', 'telegram_username', changed -> 'telegram_username', 'whatsapp_username', changed -> 'whatsapp_username', 'twitter_name', changed -> 'twitter_name', 'first_name', changed -> 'first_name', 'last_name', changed -> 'last_name', 'company', changed -> 'company', 'other_emails', changed -> 'other_emails', 'other_phones', changed -> 'other_phones')) as
values
from event, unnest(ids) as each (id)
join (
  select unnest(($1::uuid[])[$2::int:$3::int]) as id
) own on own.id = each.id
where id_space = $4 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(($5::uuid[])[$6::int:$7::int]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && ($8::uuid[])[$9::int:$10::int]) and leads is null and changed ?| array['email', 'phone', 'linkedin_url', 'facebook_username', 'youtube_username', 'instagram_username', 'telegram_username', 'whatsapp_username', 'twitter_name', 'first_name', 'last_name', 'company', 'other_emails', 'other_phones'];

-- selectNames
select own.id, false as is_company, jsonb_strip_nulls(jsonb_build_object('email', changed -> 'email', 'phone', changed -> 'phone', 'linkedin_url', changed -> 'linkedin_url', 'facebook_username', changed -> 'facebook_username', 'youtube_username', changed -> 'youtube_username', 'instagram_username', changed -> 'instagram_username', 'telegram_username', changed -> 'telegram_username', 'whatsapp_username', changed -> 'whatsapp_username', 'twitter_name', changed -> 'twitter_name', 'first_name', changed -> 'first_name', 'last_name', changed -> 'last_name', 'company', changed -> 'company', 'other_emails', changed -> 'other_emails', 'other_phones', changed -> 'other_phones')) as
values
from event_new, unnest(ids) as each (id)
join (
  select unnest(($1::uuid[])[$2::int:$3::int]) as id
) own on own.id = each.id
where id_space = $4 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(($5::uuid[])[$6::int:$7::int]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && ($8::uuid[])[$9::int:$10::int]) and leads is null and changed ?| array['email', 'phone', 'linkedin_url', 'facebook_username', 'youtube_username', 'instagram_username', 'telegram_username', 'whatsapp_username', 'twitter_name', 'first_name', 'last_name', 'company', 'other_emails', 'other_phones'];

-- selectNames
select own.id, false as is_company, jsonb_strip_nulls(jsonb_build_object('email', new -> 'email', 'phone', new -> 'phone', 'linkedin_url', new -> 'linkedin_url', 'facebook_username', new -> 'facebook_username', 'youtube_username', new -> 'youtube_username', 'instagram_username', new -> 'instagram_username', 'telegram_username', new -> 'telegram_username', 'whatsapp_username', new -> 'whatsapp_username', 'twitter_name', new -> 'twitter_name', 'first_name', new -> 'first_name', 'last_name', new -> 'last_name', 'company', new -> 'company', 'other_emails', new -> 'other_emails', 'other_phones', new -> 'other_phones')) as
values
from operation_value, unnest(ids) as each (id)
join (
  select unnest(($1::uuid[])[$2::int:$3::int]) as id
) own on own.id = each.id
where id_space = $4 and new ?| array['email', 'phone', 'linkedin_url', 'facebook_username', 'youtube_username', 'instagram_username', 'telegram_username', 'whatsapp_username', 'twitter_name', 'first_name', 'last_name', 'company', 'other_emails', 'other_phones'];

-- selectNames
select own.id, false as is_company, jsonb_strip_nulls(jsonb_build_object('email', old -> 'email', 'phone', old -> 'phone', 'linkedin_url', old -> 'linkedin_url', 'facebook_username', old -> 'facebook_username', 'youtube_username', old -> 'youtube_username', 'instagram_username', old -> 'instagram_username', 'telegram_username', old -> 'telegram_username', 'whatsapp_username', old -> 'whatsapp_username', 'twitter_name', old -> 'twitter_name', 'first_name', old -> 'first_name', 'last_name', old -> 'last_name', 'company', old -> 'company', 'other_emails', old -> 'other_emails', 'other_phones', old -> 'other_phones')) as
values
from operation_value, unnest(ids) as each (id)
join (
  select unnest(($1::uuid[])[$2::int:$3::int]) as id
) own on own.id = each.id
where id_space = $4 and old ?| array['email', 'phone', 'linkedin_url', 'facebook_username', 'youtube_username', 'instagram_username', 'telegram_username', 'whatsapp_username', 'twitter_name', 'first_name', 'last_name', 'company', 'other_emails', 'other_phones'];

-- selectSearchTexts
select phrase, found.text
from unnest($1::text[], $2::text[]) as wanted (phrase, pattern), lateral (
  select text
  from lead_search
  where id_space = $3 and text like pattern
  limit $4
) found;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", lead."contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", lead."other_emails", lead."other_phones", lead."id_twitter", lead."lost_reason", lead."custom_fields", coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", lead.contract_value as contract_amount, coalesce(lead.other_emails, '[]') as other_emails, coalesce(lead.other_phones, '[]') as other_phones, lead.lost_reason, coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", lead.contract_value as contract_amount, coalesce(lead.other_emails, '[]') as other_emails, coalesce(lead.other_phones, '[]') as other_phones, lead.lost_reason, coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes, (
    select (array_agg(event.id_member order by event.seq desc))[1]
    from event
    where event.id_space = $1 and event.type = 'lead.deleted' and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(array[lead.id]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && array[lead.id])
  ) as deleted_by
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."other_emails", lead."other_phones", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", lead."contract_value", lead."lost_reason", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."custom_fields", coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, place
  from unnest($2::uuid[]) with ordinality as wanted (id, place)
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json , (
  with recursive merged (id) as (
    select id
    from lead
    where id_space = $1 and merged_into = ($2::uuid[])[1]
    union
    select lead.id
    from merged
    join lead on lead.id_space = $1 and lead.merged_into = merged.id
  )
  select json_agg(id order by id)::text
  from merged
) as merged_from
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", lead.contract_value as contract_amount, coalesce(lead.other_emails, '[]') as other_emails, coalesce(lead.other_phones, '[]') as other_phones, lead.lost_reason, coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, row_number() over () as place
  from (
    select lead.id
    from lead
    where lead.id_space = $1 and not lead.is_deleted
    order by lead.created_at desc, lead.id
    limit 50
  ) newest
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json , (
  select coalesce(sum(count), 0)::bigint
  from lead_count
  where id_space = $1
) as total
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  order by wanted.place
) item;

-- built at the start
with wanted as materialized (
  select id, row_number() over () as place
  from (
    select lead.id
    from lead
    where lead.id_space = $1 and not lead.is_deleted
    order by lead.created_at desc, lead.id
    limit 50
  ) newest
), lists as materialized (
  select lead_list.id_lead, json_agg((
    select item
    from (
      select list.id, list.name, list.emoji
    ) item
  ) order by list."order", list.id) as items
  from lead_list
  join list on list.id_space = $1 and list.id = lead_list.id_list
  where lead_list.id_space = $1 and lead_list.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_list.id_lead
), status as materialized (
  select lead_status.id_lead, json_agg((
    select item
    from (
      select status.id, status.name, status.color, status.type, coalesce(status.id_list::text, '') as id_list
    ) item
  ) order by status."order", status.id) as items
  from lead_status
  join status on status.id_space = $1 and status.id = lead_status.id_status
  where lead_status.id_space = $1 and lead_status.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_status.id_lead
), tags as materialized (
  select lead_tag.id_lead, json_agg((
    select item
    from (
      select tag.id, tag.name, tag.color
    ) item
  ) order by tag."order", tag.id) as items
  from lead_tag
  join tag on tag.id_space = $1 and tag.id = lead_tag.id_tag
  where lead_tag.id_space = $1 and lead_tag.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_tag.id_lead
), owners as materialized (
  select lead_owner.id_lead, json_agg((
    select item
    from (
      select member.id, member.name, member.email
    ) item
  ) order by member."name", member.id) as items
  from lead_owner
  join member on member.id_space = $1 and member.id = lead_owner.id_member
  where lead_owner.id_space = $1 and lead_owner.id_lead = any(array(
    select id
    from wanted
  ))
  group by lead_owner.id_lead
)
select coalesce(json_agg(row_to_json(item)), '[]')::text as json , (
  select coalesce(sum(count), 0)::bigint
  from lead_count
  where id_space = $1
) as total
from (
  select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."contract_name", lead."ai_summary", lead."ai_profile", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_contract", lead."is_draft", lead."is_tracked", lead."ai_enabled", to_char(lead."ai_enabled_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "ai_enabled_at", to_char(lead."last_interaction_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_interaction_at", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", lead.contract_value as contract_amount, coalesce(lead.other_emails, '[]') as other_emails, coalesce(lead.other_phones, '[]') as other_phones, lead.lost_reason, coalesce(lists.items, '[]') as lists, coalesce(status.items, '[]') as status, coalesce(tags.items, '[]') as tags, coalesce(owners.items, '[]') as owners, lead.attributes
  from wanted
  join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
  left join lists on lists.id_lead = lead.id
  left join status on status.id_lead = lead.id
  left join tags on tags.id_lead = lead.id
  left join owners on owners.id_lead = lead.id
  order by wanted.place
) item;

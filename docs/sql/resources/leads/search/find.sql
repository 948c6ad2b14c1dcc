-- findLeads
select wanted.place, answer.json
from unnest($2::text[]) with ordinality as wanted (email, place)
cross join lateral (
  with found as materialized (
    select lead.*
    from lead
    where lead.id_space = $1 and not lead.is_deleted and ((left(lower(btrim(lead.email, e' \t\r\n\u00a0')), 255) = left(wanted.email, 255) and lower(btrim(lead.email, e' \t\r\n\u00a0')) = wanted.email))
  )
  select row_to_json(item)::text as json
  from (
    select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", coalesce((
      select row_to_json(employer)::text
      from (
        select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
        from lead
        where lead.id_space = $1 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(person.company, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(person.company, e' \t\r\n\u00a0')) and lead.id <> person.id
        order by lead.created_at, lead.id
        limit 1
      ) employer
    ), '') as company_enrich, coalesce(lead.custom_fields::text, '') as custom_fields, (
      select coalesce(json_agg(definition), '[]')::text
      from (
        select id, slug, name, type, description, is_multi as "isMultiSelect"
        from attribute
        where id_space = $1
        order by created_at, id
      ) definition
    ) as custom_fields_schema
    from (
      select lead.*
      from found lead
      order by lead.created_at, lead.id
      limit 1
    ) lead, lateral (
      select lead.id, lead.company
    ) person
  ) item
) answer;

-- findLeads
select wanted.place, answer.json
from unnest($2::text[]) with ordinality as wanted (linkedin_url, place)
cross join lateral (
  with found as materialized (
    select lead.*
    from lead
    where lead.id_space = $1 and not lead.is_deleted and ((left(regexp_replace(lower(btrim(lead.linkedin_url, e' \t\r\n\u00a0')), '^(https?://)?(www\.)?|/*([?#].*)?$', '', 'g'), 255) = left(wanted.linkedin_url, 255) and regexp_replace(lower(btrim(lead.linkedin_url, e' \t\r\n\u00a0')), '^(https?://)?(www\.)?|/*([?#].*)?$', '', 'g') = wanted.linkedin_url))
  )
  select row_to_json(item)::text as json
  from (
    select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", coalesce((
      select row_to_json(employer)::text
      from (
        select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
        from lead
        where lead.id_space = $1 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(person.company, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(person.company, e' \t\r\n\u00a0')) and lead.id <> person.id
        order by lead.created_at, lead.id
        limit 1
      ) employer
    ), '') as company_enrich, coalesce(lead.custom_fields::text, '') as custom_fields, (
      select coalesce(json_agg(definition), '[]')::text
      from (
        select id, slug, name, type, description, is_multi as "isMultiSelect"
        from attribute
        where id_space = $1
        order by created_at, id
      ) definition
    ) as custom_fields_schema
    from (
      select lead.*
      from found lead
      order by lead.created_at, lead.id
      limit 1
    ) lead, lateral (
      select lead.id, lead.company
    ) person
  ) item
) answer;

-- findLeads
select wanted.place, answer.json
from unnest($2::text[]) with ordinality as wanted (phone, place)
cross join lateral (
  with found as materialized (
    select lead.*
    from lead
    where lead.id_space = $1 and not lead.is_deleted and ((left(regexp_replace(lead.phone, '\D', '', 'g'), 255) = left(wanted.phone, 255) and regexp_replace(lead.phone, '\D', '', 'g') = wanted.phone))
  )
  select row_to_json(item)::text as json
  from (
    select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", coalesce((
      select row_to_json(employer)::text
      from (
        select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
        from lead
        where lead.id_space = $1 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(person.company, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(person.company, e' \t\r\n\u00a0')) and lead.id <> person.id
        order by lead.created_at, lead.id
        limit 1
      ) employer
    ), '') as company_enrich, coalesce(lead.custom_fields::text, '') as custom_fields, (
      select coalesce(json_agg(definition), '[]')::text
      from (
        select id, slug, name, type, description, is_multi as "isMultiSelect"
        from attribute
        where id_space = $1
        order by created_at, id
      ) definition
    ) as custom_fields_schema
    from (
      select lead.*
      from found lead
      order by lead.created_at, lead.id
      limit 1
    ) lead, lateral (
      select lead.id, lead.company
    ) person
  ) item
) answer;

-- findLeads
select wanted.place, answer.json
from unnest($2::text[]) with ordinality as wanted (twitter_name, place)
cross join lateral (
  with found as materialized (
    select lead.*
    from lead
    where lead.id_space = $1 and not lead.is_deleted and ((left(regexp_replace(lower(btrim(lead.twitter_name, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255) = left(wanted.twitter_name, 255) and regexp_replace(lower(btrim(lead.twitter_name, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g') = wanted.twitter_name))
  )
  select row_to_json(item)::text as json
  from (
    select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", coalesce((
      select row_to_json(employer)::text
      from (
        select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
        from lead
        where lead.id_space = $1 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(person.company, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(person.company, e' \t\r\n\u00a0')) and lead.id <> person.id
        order by lead.created_at, lead.id
        limit 1
      ) employer
    ), '') as company_enrich, coalesce(lead.custom_fields::text, '') as custom_fields, (
      select coalesce(json_agg(definition), '[]')::text
      from (
        select id, slug, name, type, description, is_multi as "isMultiSelect"
        from attribute
        where id_space = $1
        order by created_at, id
      ) definition
    ) as custom_fields_schema
    from (
      select lead.*
      from found lead
      order by lead.created_at, lead.id
      limit 1
    ) lead, lateral (
      select lead.id, lead.company
    ) person
  ) item
) answer;

-- findLeads
select wanted.place, answer.json
from unnest($2::text[]) with ordinality as wanted (whatsapp_username, place)
cross join lateral (
  with found as materialized (
    select lead.*
    from lead
    where lead.id_space = $1 and not lead.is_deleted and ((left(regexp_replace(lower(btrim(lead.whatsapp_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255) = left(wanted.whatsapp_username, 255) and regexp_replace(lower(btrim(lead.whatsapp_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g') = wanted.whatsapp_username))
  )
  select row_to_json(item)::text as json
  from (
    select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."id_twitter_company", lead."id_twitter", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId", coalesce((
      select row_to_json(employer)::text
      from (
        select lead."id", to_char(lead."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "created_at", to_char(lead."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updated_at", lead."email", lead."company", lead."phone", lead."linkedin_url", lead."linkedin_company_url", lead."facebook_username", lead."youtube_username", lead."instagram_username", lead."telegram_username", lead."whatsapp_username", lead."search_query", lead."first_name", lead."last_name", lead."icebreaker", lead."icebreaker_2", lead."icebreaker_3", lead."icebreaker_4", lead."website_url", lead."timezone", lead."city", lead."company_role", lead."twitter_name", lead."twitter_company_name", lead."avatar_url", lead."contract_currency", lead."id_linkedin_company", lead."id_linkedin", lead."email_bounce_score", lead."score", round(lead."contract_value") as "contract_value", lead."order", lead."is_company", lead."is_tracked", lead."is_deleted", to_char(lead."is_deleted_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "is_deleted_at", lead."id_space", lead."usersId"
        from lead
        where lead.id_space = $1 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(person.company, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(person.company, e' \t\r\n\u00a0')) and lead.id <> person.id
        order by lead.created_at, lead.id
        limit 1
      ) employer
    ), '') as company_enrich, coalesce(lead.custom_fields::text, '') as custom_fields, (
      select coalesce(json_agg(definition), '[]')::text
      from (
        select id, slug, name, type, description, is_multi as "isMultiSelect"
        from attribute
        where id_space = $1
        order by created_at, id
      ) definition
    ) as custom_fields_schema
    from (
      select lead.*
      from found lead
      order by lead.created_at, lead.id
      limit 1
    ) lead, lateral (
      select lead.id, lead.company
    ) person
  ) item
) answer;

-- refreshSearch
select set_config('gin_pending_list_limit', '65536', true), set_config('work_mem', '131072', true);

-- refreshSearch
with fresh as materialized (
  select lead.id, (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.company, '') || e'\n' || coalesce(lead.first_name, '') || e'\n' || coalesce(lead.last_name, '') || e'\n' || coalesce(lead.city, '') || e'\n' || coalesce(lead.company_role, '') as plain
      offset 0
    ) fields
  ) || e'\n' || (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.email, '') || e'\n' || coalesce(lead.phone, '') || e'\n' || coalesce(lead.linkedin_url, '') || e'\n' || coalesce(lead.facebook_username, '') || e'\n' || coalesce(lead.youtube_username, '') || e'\n' || coalesce(lead.instagram_username, '') || e'\n' || coalesce(lead.telegram_username, '') || e'\n' || coalesce(lead.whatsapp_username, '') || e'\n' || coalesce(lead.website_url, '') || e'\n' || coalesce(lead.twitter_name, '') as plain
      offset 0
    ) fields
  ) || coalesce((
    select case when position(digits in lead.phone) = 0 then e'\n' || digits else '' end
    from (
      select regexp_replace(lead.phone, '[^0-9]', '', 'g') as digits
      offset 0
    ) phone
  ), '') || coalesce(case when lead.other_emails is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end , '' order by place)
    from jsonb_array_elements(lead.other_emails) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') || coalesce(case when lead.other_phones is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end || (
      select case when position(digits in plain) = 0 then e'\n' || digits else '' end
      from (
        select regexp_replace(plain, '[^0-9]', '', 'g') as digits
        offset 0
      ) phone
    ), '' order by place)
    from jsonb_array_elements(lead.other_phones) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') as text
  from unnest($1::text::uuid[]) as written (id)
  join lead on lead.id_space = $2 and lead.id = written.id
)
update lead_search
set text = fresh.text
from fresh
where lead_search.id_space = $3 and lead_search.id_lead = fresh.id and lead_search.text <> fresh.text;

-- refreshSearch
with fresh as materialized (
  select lead.id, (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.company, '') || e'\n' || coalesce(lead.first_name, '') || e'\n' || coalesce(lead.last_name, '') || e'\n' || coalesce(lead.city, '') || e'\n' || coalesce(lead.company_role, '') as plain
      offset 0
    ) fields
  ) || e'\n' || (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.email, '') || e'\n' || coalesce(lead.phone, '') || e'\n' || coalesce(lead.linkedin_url, '') || e'\n' || coalesce(lead.facebook_username, '') || e'\n' || coalesce(lead.youtube_username, '') || e'\n' || coalesce(lead.instagram_username, '') || e'\n' || coalesce(lead.telegram_username, '') || e'\n' || coalesce(lead.whatsapp_username, '') || e'\n' || coalesce(lead.website_url, '') || e'\n' || coalesce(lead.twitter_name, '') as plain
      offset 0
    ) fields
  ) || coalesce((
    select case when position(digits in lead.phone) = 0 then e'\n' || digits else '' end
    from (
      select regexp_replace(lead.phone, '[^0-9]', '', 'g') as digits
      offset 0
    ) phone
  ), '') || coalesce(case when lead.other_emails is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end , '' order by place)
    from jsonb_array_elements(lead.other_emails) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') || coalesce(case when lead.other_phones is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end || (
      select case when position(digits in plain) = 0 then e'\n' || digits else '' end
      from (
        select regexp_replace(plain, '[^0-9]', '', 'g') as digits
        offset 0
      ) phone
    ), '' order by place)
    from jsonb_array_elements(lead.other_phones) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') as text
  from unnest($1::uuid[]) as written (id)
  join lead on lead.id_space = $2 and lead.id = written.id
)
update lead_search
set text = fresh.text
from fresh
where lead_search.id_space = $3 and lead_search.id_lead = fresh.id and lead_search.text <> fresh.text;

-- refreshSearch
with fresh as materialized (
  select lead.id, (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.company, '') || e'\n' || coalesce(lead.first_name, '') || e'\n' || coalesce(lead.last_name, '') || e'\n' || coalesce(lead.city, '') || e'\n' || coalesce(lead.company_role, '') as plain
      offset 0
    ) fields
  ) || e'\n' || (
    select case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
    from (
      select coalesce(lead.email, '') || e'\n' || coalesce(lead.phone, '') || e'\n' || coalesce(lead.linkedin_url, '') || e'\n' || coalesce(lead.facebook_username, '') || e'\n' || coalesce(lead.youtube_username, '') || e'\n' || coalesce(lead.instagram_username, '') || e'\n' || coalesce(lead.telegram_username, '') || e'\n' || coalesce(lead.whatsapp_username, '') || e'\n' || coalesce(lead.website_url, '') || e'\n' || coalesce(lead.twitter_name, '') as plain
      offset 0
    ) fields
  ) || coalesce((
    select case when position(digits in lead.phone) = 0 then e'\n' || digits else '' end
    from (
      select regexp_replace(lead.phone, '[^0-9]', '', 'g') as digits
      offset 0
    ) phone
  ), '') || coalesce(case when lead.other_emails is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end , '' order by place)
    from jsonb_array_elements(lead.other_emails) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') || coalesce(case when lead.other_phones is not null then (
    select string_agg(e'\n' || case when octet_length(plain) = length(plain) then lower(plain) else translate(lower(regexp_replace(normalize(plain, nfkd), '[\u0300-\u036f]', '', 'g')), 'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end || (
      select case when position(digits in plain) = 0 then e'\n' || digits else '' end
      from (
        select regexp_replace(plain, '[^0-9]', '', 'g') as digits
        offset 0
      ) phone
    ), '' order by place)
    from jsonb_array_elements(lead.other_phones) with ordinality as each (item, place), lateral (
      select item ->> 'value' as plain
      offset 0
    ) contact
  ) end, '') as text
  from unnest(array(
    select distinct unnest(ids)
    from operation_value
    where operation_value.id_space = $1 and operation_value.id_operation = $2 and operation_value.what = $3
  )) as written (id)
  join lead on lead.id_space = $4 and lead.id = written.id
)
update lead_search
set text = fresh.text
from fresh
where lead_search.id_space = $5 and lead_search.id_lead = fresh.id and lead_search.text <> fresh.text;

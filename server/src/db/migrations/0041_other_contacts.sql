-- Further emails and phones of leads: lists of values with labels, null for none.
alter table lead add column other_emails jsonb;
alter table lead add column other_phones jsonb;

-- The keys of all of them, as leads/search/match.ts makes them. Few leads have any, and each search looks here too:
-- a list of pending entries would cost more than it saves.
create index lead_other_emails_idx on lead using gin (id_space, string_to_array(regexp_replace(
    lower(jsonb_path_query_array(other_emails, '$[*].value')::text), '^\["|"\]$', '', 'g'), '", "'))
  with (fastupdate = off)
  where other_emails is not null and not is_deleted;
create index lead_other_phones_idx on lead using gin (id_space, string_to_array(regexp_replace(
    jsonb_path_query_array(other_phones, '$[*].value')::text, '\\.|[^0-9"]', '', 'g'), '"'))
  with (fastupdate = off)
  where other_phones is not null and not is_deleted;

-- They count in the size of a lead.
alter table lead drop constraint lead_size;
alter table lead add constraint lead_size check (
  octet_length(concat(
    email, first_name, last_name, company, attributes, icebreaker, icebreaker_2, icebreaker_3,
    icebreaker_4, company_role, phone, city, website_url, linkedin_url, twitter_name, facebook_username,
    youtube_username, instagram_username, telegram_username, whatsapp_username, linkedin_company_url,
    twitter_company_name, search_query, timezone, avatar_url, contract_currency, contract_name,
    ai_summary, ai_profile, id_linkedin_company, id_linkedin, id_twitter_company, id_twitter,
    custom_fields, other_emails, other_phones
  )) <= 131072
) not valid;

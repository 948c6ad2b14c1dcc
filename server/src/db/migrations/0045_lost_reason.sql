-- Why a lead was lost, in words.
alter table lead add column lost_reason text;

-- It counts in the size of a lead.
alter table lead drop constraint lead_size;
alter table lead add constraint lead_size check (
  coalesce(octet_length(email), 0) + coalesce(octet_length(first_name), 0)
  + coalesce(octet_length(last_name), 0) + coalesce(octet_length(company), 0)
  + coalesce(octet_length(icebreaker), 0) + coalesce(octet_length(icebreaker_2), 0)
  + coalesce(octet_length(icebreaker_3), 0) + coalesce(octet_length(icebreaker_4), 0)
  + coalesce(octet_length(company_role), 0) + coalesce(octet_length(phone), 0)
  + coalesce(octet_length(city), 0) + coalesce(octet_length(website_url), 0)
  + coalesce(octet_length(linkedin_url), 0) + coalesce(octet_length(twitter_name), 0)
  + coalesce(octet_length(facebook_username), 0) + coalesce(octet_length(youtube_username), 0)
  + coalesce(octet_length(instagram_username), 0) + coalesce(octet_length(telegram_username), 0)
  + coalesce(octet_length(whatsapp_username), 0) + coalesce(octet_length(linkedin_company_url), 0)
  + coalesce(octet_length(twitter_company_name), 0) + coalesce(octet_length(search_query), 0)
  + coalesce(octet_length(timezone), 0) + coalesce(octet_length(avatar_url), 0)
  + coalesce(octet_length(contract_currency), 0) + coalesce(octet_length(contract_name), 0)
  + coalesce(octet_length(ai_summary), 0) + coalesce(octet_length(ai_profile), 0)
  + coalesce(octet_length(id_linkedin_company), 0) + coalesce(octet_length(id_linkedin), 0)
  + coalesce(octet_length(id_twitter_company), 0) + coalesce(octet_length(id_twitter), 0)
  + coalesce(octet_length(lost_reason), 0)
  + coalesce(pg_column_size(attributes || '{}'), 0) + coalesce(pg_column_size(custom_fields || '{}'), 0)
  + coalesce(pg_column_size(other_emails || '[]'), 0) + coalesce(pg_column_size(other_phones || '[]'), 0)
  <= 131072
) not valid;

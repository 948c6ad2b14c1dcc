-- A page has up to 1,000 leads. Without a limit for each, a few requests could fill the memory of the service. All
-- texts together have at most maxTextBytes of the contract. Leads that are larger now stay as they are until they
-- change.
alter table lead add constraint lead_size check (
  octet_length(concat(
    email, first_name, last_name, company, attributes, icebreaker, icebreaker_2, icebreaker_3,
    icebreaker_4, company_role, phone, city, website_url, linkedin_url, twitter_name, facebook_username,
    youtube_username, instagram_username, telegram_username, whatsapp_username, linkedin_company_url,
    twitter_company_name, search_query, timezone, avatar_url, contract_currency, contract_name,
    ai_summary, ai_profile, id_linkedin_company, id_linkedin, id_twitter_company, id_twitter,
    custom_fields
  )) <= 131072
) not valid;

-- The table of leads, laid out for what is done with it most. Measured at 1,000,000 leads.
--
-- Columns of a fixed size come first, those that filters and orders read before the others: to get at a
-- column PostgreSQL goes through all before it, which was half the time of a filter. What the search
-- looks into is in a table of its own: a change of other fields then touches no index on texts, and the
-- search reads a narrow table. Room for new versions on each page: nearly every change of a tenth of the
-- leads finds it, and then touches no index at all.

alter table lead_list drop constraint lead_list_lead_fkey;
alter table lead_status drop constraint lead_status_lead_fkey;
alter table lead_tag drop constraint lead_tag_lead_fkey;
alter table lead_owner drop constraint lead_owner_lead_fkey;
alter table lead_campaign drop constraint lead_campaign_lead_fkey;
alter table lead_step drop constraint lead_step_lead_fkey;
alter table note drop constraint note_lead_fkey;
alter table reminder drop constraint reminder_lead_fkey;
alter table import_relation drop constraint import_relation_lead_fkey;

-- Indexes are made in fewer passes.
set local maintenance_work_mem = '256MB';

create table lead_new (
  id_space             uuid not null,
  id                   uuid not null,
  created_at           timestamptz(3) not null,
  "order"              integer not null default 0,
  is_deleted           boolean not null default false,
  is_company           boolean not null default false,
  is_contract          boolean not null default false,
  is_draft             boolean not null default false,
  ai_enabled           boolean not null default false,
  is_tracked           boolean,
  score                integer,
  email_bounce_score   integer,
  contract_value       bigint,
  updated_at           timestamptz(3),
  last_interaction_at  timestamptz(3),
  is_deleted_at        timestamptz(3),
  ai_enabled_at        timestamptz(3),
  -- The member who created the lead.
  "usersId"            uuid,
  email                text,
  first_name           text,
  last_name            text,
  company              text,
  -- Values of custom attributes: attribute id → value.
  attributes           jsonb not null default '{}',
  icebreaker           text,
  icebreaker_2         text,
  icebreaker_3         text,
  icebreaker_4         text,
  company_role         text,
  phone                text,
  city                 text,
  website_url          text,
  linkedin_url         text,
  twitter_name         text,
  facebook_username    text,
  youtube_username     text,
  instagram_username   text,
  telegram_username    text,
  whatsapp_username    text,
  linkedin_company_url text,
  twitter_company_name text,
  search_query         text,
  timezone             text,
  avatar_url           text,
  contract_currency    text,
  contract_name        text,
  ai_summary           text,
  ai_profile           text,
  id_linkedin_company  text,
  id_linkedin          text,
  id_twitter_company   text,
  id_twitter           text,
  custom_fields        jsonb,
  -- Set on a company that was created beside a person, until somebody changes its name: it lets
  -- only one of two requests at once create the company.
  company_claim        text
) with (fillfactor = 82, autovacuum_vacuum_scale_factor = 0.02);

insert into lead_new (
  id_space, id, created_at, "order", is_deleted, is_company, is_contract, is_draft, ai_enabled, is_tracked,
  score, email_bounce_score, contract_value, updated_at, last_interaction_at, is_deleted_at, ai_enabled_at,
  "usersId", email, first_name, last_name, company, attributes, icebreaker, icebreaker_2, icebreaker_3,
  icebreaker_4, company_role, phone, city, website_url, linkedin_url, twitter_name, facebook_username,
  youtube_username, instagram_username, telegram_username, whatsapp_username, linkedin_company_url,
  twitter_company_name, search_query, timezone, avatar_url, contract_currency, contract_name, ai_summary,
  ai_profile, id_linkedin_company, id_linkedin, id_twitter_company, id_twitter, custom_fields, company_claim)
select
  id_space, id, created_at, "order", is_deleted, is_company, is_contract, is_draft, ai_enabled, is_tracked,
  score, email_bounce_score, contract_value, updated_at, last_interaction_at, is_deleted_at, ai_enabled_at,
  "usersId", email, first_name, last_name, company, attributes, icebreaker, icebreaker_2, icebreaker_3,
  icebreaker_4, company_role, phone, city, website_url, linkedin_url, twitter_name, facebook_username,
  youtube_username, instagram_username, telegram_username, whatsapp_username, linkedin_company_url,
  twitter_company_name, search_query, timezone, avatar_url, contract_currency, contract_name, ai_summary,
  ai_profile, id_linkedin_company, id_linkedin, id_twitter_company, id_twitter, custom_fields, company_claim
from lead order by id_space, id;

-- What the free text search looks into, without case and accents (leads.search.sql.ts). Deleted leads
-- keep theirs.
create table lead_search (
  id_space uuid not null,
  id_lead  uuid not null,
  text     text not null
);

insert into lead_search (id_space, id_lead, text)
select id_space, id, search_text from lead order by id_space, id;

drop table lead;
alter table lead_new rename to lead;
alter table lead add constraint lead_pkey primary key (id_space, id);
alter table lead add constraint lead_space_fkey foreign key (id_space)
  references space (id_space) on delete cascade;
alter table lead_search add constraint lead_search_pkey primary key (id_space, id_lead);
alter table lead_search add constraint lead_search_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;

alter table lead_list add constraint lead_list_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table lead_status add constraint lead_status_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table lead_tag add constraint lead_tag_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table lead_owner add constraint lead_owner_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table lead_campaign add constraint lead_campaign_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table lead_step add constraint lead_step_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table note add constraint note_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table reminder add constraint reminder_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;
alter table import_relation add constraint import_relation_lead_fkey foreign key (id_space, id_lead)
  references lead (id_space, id) on delete cascade;

create index lead_search_text_idx on lead_search using gin (id_space, text gin_trgm_ops);

-- Newest first: the first page, and every page without another order.
create index lead_newest_idx on lead (id_space, created_at desc, id) where not is_deleted;
create index lead_deleted_idx on lead (id_space, id) where is_deleted;
-- Attribute equals. Most leads have no attributes, and need not pay for the index.
create index lead_attributes_idx on lead using gin (id_space, attributes jsonb_path_ops)
  where not is_deleted and attributes <> '{}';
-- Keys are cut to 255 characters: an index has no room for more, and whoever compares the rest too
-- loses nothing.
-- The company beside a person.
create index lead_company_idx on lead (id_space, left(lower(btrim(company, e' \t\r\n\u00a0')), 255))
  where is_company and not is_deleted;
create unique index lead_company_claim_key on lead (id_space, company_claim)
  where company_claim is not null and not is_deleted;
-- The keys of POST /leads/search, as leads.match.ts makes them.
create index lead_email_idx on lead (id_space, left(lower(btrim(email, e' \t\r\n\u00a0')), 255))
  where email is not null and not is_deleted;
create index lead_phone_idx on lead (id_space, left(regexp_replace(phone, '\D', '', 'g'), 255))
  where phone is not null and not is_deleted;
create index lead_linkedin_idx on lead (id_space, left(regexp_replace(
    lower(btrim(linkedin_url, e' \t\r\n\u00a0')), '^(https?://)?(www\.)?|/*([?#].*)?$', '', 'g'), 255))
  where linkedin_url is not null and not is_deleted;
create index lead_twitter_idx on lead (id_space, left(regexp_replace(
    lower(btrim(twitter_name, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where twitter_name is not null and not is_deleted;
create index lead_facebook_idx on lead (id_space, left(regexp_replace(
    lower(btrim(facebook_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where facebook_username is not null and not is_deleted;
create index lead_youtube_idx on lead (id_space, left(regexp_replace(
    lower(btrim(youtube_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where youtube_username is not null and not is_deleted;
create index lead_instagram_idx on lead (id_space, left(regexp_replace(
    lower(btrim(instagram_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where instagram_username is not null and not is_deleted;
create index lead_telegram_idx on lead (id_space, left(regexp_replace(
    lower(btrim(telegram_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where telegram_username is not null and not is_deleted;
create index lead_whatsapp_idx on lead (id_space, left(regexp_replace(
    lower(btrim(whatsapp_username, e' \t\r\n\u00a0')), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g'), 255))
  where whatsapp_username is not null and not is_deleted;

-- What a change of a few percent leaves behind slows down every count that reads an index alone. By default
-- it is removed after a fifth of the table has changed.
alter table lead_search set (autovacuum_vacuum_scale_factor = 0.02);
alter table lead_list set (autovacuum_vacuum_scale_factor = 0.02);
alter table lead_status set (autovacuum_vacuum_scale_factor = 0.02);
alter table lead_tag set (autovacuum_vacuum_scale_factor = 0.02);
alter table lead_owner set (autovacuum_vacuum_scale_factor = 0.02);

analyze lead;
analyze lead_search;

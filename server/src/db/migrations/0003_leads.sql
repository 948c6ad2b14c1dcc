create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table attribute (
  id_space    uuid not null,
  id          uuid not null,
  type        text not null,
  slug        text not null,
  name        text not null,
  description text not null,
  currency    text not null,
  is_multi    boolean not null,
  is_system   boolean not null,
  -- Counts the changes, so that whoever checked values against it can tell that it is the same.
  version     integer not null default 1,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  constraint attribute_pkey primary key (id_space, id),
  constraint attribute_slug_key unique (id_space, slug),
  constraint attribute_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

create table attribute_option (
  id_space     uuid not null,
  id_attribute uuid not null,
  id           uuid not null,
  name         text not null,
  color        text not null,
  position     integer not null,
  constraint attribute_option_pkey primary key (id_space, id_attribute, id),
  constraint attribute_option_attribute_fkey foreign key (id_space, id_attribute)
    references attribute (id_space, id) on delete cascade
);

create table lead (
  id_space             uuid not null,
  id                   uuid not null,
  email                text,
  company              text,
  phone                text,
  linkedin_url         text,
  linkedin_company_url text,
  facebook_username    text,
  youtube_username     text,
  instagram_username   text,
  telegram_username    text,
  whatsapp_username    text,
  search_query         text,
  first_name           text,
  last_name            text,
  icebreaker           text,
  icebreaker_2         text,
  icebreaker_3         text,
  icebreaker_4         text,
  website_url          text,
  timezone             text,
  city                 text,
  company_role         text,
  twitter_name         text,
  twitter_company_name text,
  avatar_url           text,
  contract_currency    text,
  contract_name        text,
  contract_value       bigint,
  email_bounce_score   integer,
  score                integer,
  "order"              integer not null default 0,
  is_company           boolean not null default false,
  is_contract          boolean not null default false,
  is_draft             boolean not null default false,
  is_tracked           boolean,
  ai_enabled           boolean not null default false,
  ai_enabled_at        timestamptz(3),
  ai_summary           text,
  ai_profile           text,
  last_interaction_at  timestamptz(3),
  id_linkedin_company  text,
  id_linkedin          text,
  id_twitter_company   text,
  id_twitter           text,
  -- The member who created the lead.
  "usersId"            uuid,
  custom_fields        jsonb,
  -- Values of custom attributes: attribute id → value.
  attributes           jsonb not null default '{}',
  -- Set on a company that was created beside a person, until somebody changes its name: it lets
  -- only one of two requests at once create the company.
  company_claim        text,
  is_deleted           boolean not null default false,
  is_deleted_at        timestamptz(3),
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3),
  -- What the free text search looks into, without case and accents; fold() in the filter does the
  -- same to the words that are looked for. Made of built-in functions only, so that every node of a
  -- distributed database has them.
  search_text          text generated always as (
    translate(
      lower(regexp_replace(
        normalize(
          coalesce(first_name, '') || ' ' || coalesce(last_name, '') || e'\n' ||
          coalesce(email, '') || e'\n' || coalesce(company, '') || e'\n' ||
          coalesce(company_role, '') || e'\n' || coalesce(phone, '') || e'\n' ||
          coalesce(city, '') || e'\n' || coalesce(website_url, '') || e'\n' ||
          coalesce(linkedin_url, '') || e'\n' || coalesce(twitter_name, '') || e'\n' ||
          coalesce(facebook_username, '') || e'\n' || coalesce(youtube_username, '') || e'\n' ||
          coalesce(instagram_username, '') || e'\n' || coalesce(telegram_username, '') || e'\n' ||
          coalesce(whatsapp_username, ''),
          nfkd),
        '[\u0300-\u036f]', '', 'g')),
      'øØłŁđĐħĦıς', 'oOlLdDhHiσ')
  ) stored,
  constraint lead_pkey primary key (id_space, id),
  constraint lead_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

-- Newest first: the first page, and every page without another order.
create index lead_newest_idx on lead (id_space, created_at desc, id) where not is_deleted;
-- Free text search.
create index lead_search_idx on lead using gin (id_space, search_text gin_trgm_ops)
  where not is_deleted;
-- Attribute equals.
create index lead_attributes_idx on lead using gin (id_space, attributes jsonb_path_ops)
  where not is_deleted;
-- Keys are cut to 255 characters: an index has no room for more, and whoever compares the rest too
-- loses nothing.
-- The company beside a person.
create index lead_company_idx on lead (id_space, left(lower(btrim(company, e' \t\r\n\u00a0')), 255))
  where is_company and not is_deleted;
create unique index lead_company_claim_key on lead (id_space, company_claim)
  where company_claim is not null and not is_deleted;
-- The keys of POST /leads/search, normalised as leads.search.ts says.
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

create table lead_list (
  id_space uuid not null,
  id_lead  uuid not null,
  id_list  uuid not null,
  constraint lead_list_pkey primary key (id_space, id_lead, id_list),
  constraint lead_list_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_list_list_fkey foreign key (id_space, id_list)
    references list (id_space, id) on delete cascade
);
create index lead_list_list_idx on lead_list (id_space, id_list, id_lead);

-- A lead has at most one status in each list, and one among those without list: id_group. A status
-- of a list implies membership: leaving the list drops the status.
create table lead_status (
  id_space  uuid not null,
  id_lead   uuid not null,
  id_status uuid not null,
  id_list   uuid,
  id_group  uuid generated always as
    (coalesce(id_list, '00000000-0000-0000-0000-000000000000'::uuid)) stored,
  constraint lead_status_pkey primary key (id_space, id_lead, id_group),
  constraint lead_status_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_status_status_fkey foreign key (id_space, id_status)
    references status (id_space, id) on delete cascade,
  constraint lead_status_member_fkey foreign key (id_space, id_lead, id_list)
    references lead_list (id_space, id_lead, id_list) on delete cascade
);
create index lead_status_status_idx on lead_status (id_space, id_status, id_lead);
-- For leaving a list.
create index lead_status_member_idx on lead_status (id_space, id_lead, id_list);

create table lead_tag (
  id_space uuid not null,
  id_lead  uuid not null,
  id_tag   uuid not null,
  constraint lead_tag_pkey primary key (id_space, id_lead, id_tag),
  constraint lead_tag_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_tag_tag_fkey foreign key (id_space, id_tag)
    references tag (id_space, id) on delete cascade
);
create index lead_tag_tag_idx on lead_tag (id_space, id_tag, id_lead);

create table lead_owner (
  id_space  uuid not null,
  id_lead   uuid not null,
  id_member uuid not null,
  constraint lead_owner_pkey primary key (id_space, id_lead, id_member),
  constraint lead_owner_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_owner_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);
create index lead_owner_member_idx on lead_owner (id_space, id_member, id_lead);

-- How common a tag, list, … is depends on the workspace: without this the planner takes it for the
-- product of two chances, and reads a large workspace the long way round.
create statistics lead_list_stats on id_space, id_list from lead_list;
create statistics lead_status_stats on id_space, id_status from lead_status;
create statistics lead_tag_stats on id_space, id_tag from lead_tag;
create statistics lead_owner_stats on id_space, id_member from lead_owner;

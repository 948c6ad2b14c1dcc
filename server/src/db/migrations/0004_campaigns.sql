-- Campaigns are read only over HTTP; they are imported from the command line.
create table campaign (
  id_space                  uuid not null,
  id                        uuid not null,
  status                    text not null,
  name                      text not null,
  icon                      text not null,
  days                      text not null,
  timezone                  text not null,
  job_id                    text not null,
  id_email_group            text not null,
  id_email_alias            double precision not null,
  start_date                timestamptz(3),
  end_date                  timestamptz(3),
  start_hour                double precision not null,
  start_min                 double precision not null,
  end_hour                  double precision not null,
  end_min                   double precision not null,
  time_between_send         double precision not null,
  unsubscribe_link          boolean not null,
  stop_sending_after_reply  boolean not null,
  stop_sending_after_bounce boolean not null,
  track_open_rate           boolean not null,
  is_deleted                boolean not null,
  created_at                timestamptz(3) not null,
  updated_at                timestamptz(3) not null,
  constraint campaign_pkey primary key (id_space, id),
  constraint campaign_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

create index campaign_newest_idx on campaign (id_space, created_at desc, id) where not is_deleted;

-- The emails of a campaign, in their order.
create table campaign_step (
  id_space    uuid not null,
  id          uuid not null,
  id_campaign uuid not null,
  position    integer not null,
  name        text not null,
  subject     text not null,
  body        text not null,
  delay_days  integer not null,
  constraint campaign_step_pkey primary key (id_space, id),
  constraint campaign_step_campaign_fkey foreign key (id_space, id_campaign)
    references campaign (id_space, id) on delete cascade
);

create index campaign_step_campaign_idx on campaign_step (id_space, id_campaign, position);

create table lead_campaign (
  id_space    uuid not null,
  id_lead     uuid not null,
  id_campaign uuid not null,
  constraint lead_campaign_pkey primary key (id_space, id_lead, id_campaign),
  constraint lead_campaign_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_campaign_campaign_fkey foreign key (id_space, id_campaign)
    references campaign (id_space, id) on delete cascade
);

create index lead_campaign_campaign_idx on lead_campaign (id_space, id_campaign, id_lead);

-- What happened to one lead with one step: each flag is a thing that did happen.
create table lead_step (
  id_space        uuid not null,
  id_lead         uuid not null,
  id_step         uuid not null,
  is_sent         boolean not null default false,
  is_delivered    boolean not null default false,
  is_opened       boolean not null default false,
  is_clicked      boolean not null default false,
  is_replied      boolean not null default false,
  is_bounced      boolean not null default false,
  is_unsubscribed boolean not null default false,
  updated_at      timestamptz(3) not null,
  constraint lead_step_pkey primary key (id_space, id_lead, id_step),
  constraint lead_step_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_step_step_fkey foreign key (id_space, id_step)
    references campaign_step (id_space, id) on delete cascade
);

create index lead_step_step_idx on lead_step (id_space, id_step, id_lead);

create statistics lead_campaign_stats on id_space, id_campaign from lead_campaign;
create statistics lead_step_stats on id_space, id_step from lead_step;

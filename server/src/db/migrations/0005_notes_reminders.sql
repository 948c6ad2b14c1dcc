create table note (
  id_space     uuid not null,
  id           uuid not null,
  id_lead      uuid,
  id_parent    uuid,
  thread_id    text,
  message_id   text,
  content      text not null,
  is_edited    boolean not null default false,
  is_edited_at timestamptz(3),
  is_pinned    boolean not null default false,
  is_pinned_at timestamptz(3),
  is_deleted   boolean not null default false,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  constraint note_pkey primary key (id_space, id),
  constraint note_space_fkey foreign key (id_space) references space (id_space) on delete cascade,
  constraint note_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint note_parent_fkey foreign key (id_space, id_parent)
    references note (id_space, id) on delete cascade
);

-- Newest first: of the workspace, of a lead, of a thread.
create index note_newest_idx on note (id_space, created_at desc, id) where not is_deleted;
create index note_lead_idx on note (id_space, id_lead, created_at desc, id) where not is_deleted;
create index note_thread_idx on note (id_space, thread_id, created_at desc, id)
  where thread_id is not null and not is_deleted;
create index note_parent_idx on note (id_space, id_parent) where id_parent is not null;

create table reminder (
  id_space       uuid not null,
  id             uuid not null,
  id_lead        uuid,
  name           text not null,
  ressource_link text not null,
  -- When it fires next, or fired for the last time.
  date           timestamptz(3) not null,
  -- Five fields, read in the time zone of the workspace; empty for one that does not recur.
  cron           text not null,
  cron_id        uuid,
  is_done        boolean not null default false,
  is_deleted     boolean not null default false,
  -- The date has had its effect: nothing more happens until another date is set.
  fired_at       timestamptz(3),
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  constraint reminder_pkey primary key (id_space, id),
  constraint reminder_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade,
  constraint reminder_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade
);

create index reminder_date_idx on reminder (id_space, date, id) where not is_deleted;
create index reminder_lead_idx on reminder (id_space, id_lead) where not is_deleted;
-- What the scheduler waits for, across workspaces: it holds no reminder that has fired. A recurring
-- one comes again even when its last occurrence is done.
create index reminder_due_idx on reminder (date, id_space, id)
  where not is_deleted and fired_at is null and (cron <> '' or not is_done);

-- Whom a reminder is for.
create table reminder_user (
  id_space    uuid not null,
  id_reminder uuid not null,
  id_member   uuid not null,
  constraint reminder_user_pkey primary key (id_space, id_reminder, id_member),
  constraint reminder_user_reminder_fkey foreign key (id_space, id_reminder)
    references reminder (id_space, id) on delete cascade,
  constraint reminder_user_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);
create index reminder_user_member_idx on reminder_user (id_space, id_member, id_reminder);

-- What happened and is to be told to people. Written in the transaction that makes it happen.
create table event (
  id_space    uuid not null,
  id          uuid not null,
  type        text not null,
  id_reminder uuid not null,
  due_at      timestamptz(3) not null,
  created_at  timestamptz(3) not null,
  payload     jsonb not null,
  constraint event_pkey primary key (id_space, id),
  -- A reminder fires once for a date, whatever the processes do.
  constraint event_reminder_due_key unique (id_space, id_reminder, due_at),
  constraint event_space_fkey foreign key (id_space) references space (id_space) on delete cascade,
  constraint event_reminder_fkey foreign key (id_space, id_reminder)
    references reminder (id_space, id) on delete cascade
);
create index event_newest_idx on event (id_space, created_at desc, id);

-- Webhooks: addresses that get the events of a workspace. Each is a cursor into the change feed.
create table webhook (
  id_space          uuid not null,
  id                uuid not null,
  name              text not null,
  url               text not null,
  -- As they were sent: "lead.*" also means types that are added later. None: all.
  types             text[] not null,
  filter            jsonb not null,
  include           text[] not null,
  -- Sealed: see secrets.ts. The old secret signs too, until its time is over.
  secret            text not null,
  old_secret        text,
  old_secret_until  timestamptz(3),
  -- active, paused or disabled, and why.
  state             text not null,
  reason            text,
  expires_at        timestamptz(3),
  -- All events up to this number were sent, were not wanted, or are in webhook_retry.
  seq               bigint not null,
  -- A replay: the events after the first number, up to the second one, are sent again.
  replay_seq        bigint,
  replay_until      bigint,
  -- Attempts that failed in a row, events in a row that were set aside, and since when.
  failures          integer not null default 0,
  set_aside         integer not null default 0,
  failing_since     timestamptz(3),
  -- Goes up with each change by people. Whoever is sending looks at the row again.
  revision          integer not null default 0,
  id_member         uuid,
  created_at        timestamptz(3) not null,
  updated_at        timestamptz(3) not null,
  constraint webhook_pkey primary key (id_space, id),
  constraint webhook_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

-- Events that an endpoint did not take, and when they are sent again.
create table webhook_retry (
  id_space   uuid not null,
  id_webhook uuid not null,
  seq        bigint not null,
  tries      integer not null,
  next_at    timestamptz(3) not null,
  constraint webhook_retry_pkey primary key (id_space, id_webhook, seq),
  constraint webhook_retry_webhook_fkey foreign key (id_space, id_webhook)
    references webhook (id_space, id) on delete cascade
);

-- What was sent, and what came back. Kept for a week.
create table webhook_attempt (
  id_space   uuid not null,
  id         uuid not null,
  id_webhook uuid not null,
  -- Null: a test.
  seq        bigint,
  type       text not null,
  at         timestamptz(3) not null,
  took_ms    integer not null,
  status     integer,
  error      text,
  -- The beginning of the response.
  answer     text,
  constraint webhook_attempt_pkey primary key (id_space, id),
  constraint webhook_attempt_webhook_fkey foreign key (id_space, id_webhook)
    references webhook (id_space, id) on delete cascade
);

create index webhook_attempt_webhook_idx on webhook_attempt (id_space, id_webhook, id);

-- Who has something to send, and when; null: after the next event. Workers claim rows across workspaces, so the
-- table has no foreign keys and is not distributed. Only active webhooks have a row.
create table delivery_queue (
  id_space    uuid not null,
  id          uuid not null,
  due_at      timestamptz(3),
  -- Its last attempt failed. Such rows have workers of their own, because they may take long.
  is_failing  boolean not null default false,
  -- It is not due after the next event, but only at its time.
  is_held     boolean not null default false,
  lease       uuid,
  lease_until timestamptz(3),
  constraint delivery_queue_pkey primary key (id_space, id)
);

create index delivery_queue_due_idx on delivery_queue (due_at);

-- The change feed: every change of a workspace, in one order, numbered without gaps.

-- The last number that was given, and the last event that was deleted for its age. The epoch changes
-- when a backup is restored: numbers may then be given a second time, to other events.
create table event_head (
  id_space uuid not null,
  epoch    text not null,
  seq      bigint not null,
  pruned   bigint not null,
  constraint event_head_pkey primary key (id_space),
  constraint event_head_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);

insert into event_head (id_space, epoch, seq, pruned)
select id_space, substr(md5(random()::text), 1, 8), 0, 0 from space;

-- Events as the writers leave them: in the transaction of the change, without a number. Writers that
-- took the number themselves would wait for each other, or commit in another order than that of the
-- numbers.
create table event_new (
  id_space     uuid not null,
  id           uuid not null,
  -- One statement may write several events.
  part         integer not null,
  -- Taken while the changed records are locked, so it orders the changes of one record.
  written_at   timestamptz not null default clock_timestamp(),
  type         text not null,
  at           timestamptz(3) not null,
  id_member    uuid,
  id_key       uuid,
  way          text not null,
  request_id   text,
  id_operation uuid,
  undo_of      uuid,
  ids          uuid[] not null,
  -- The leads that notes and reminders belong to. Null: the ids are those of the leads themselves.
  leads        uuid[],
  changed      jsonb,
  constraint event_new_pkey primary key (id_space, id, part),
  constraint event_new_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);

create table event (
  id_space     uuid not null,
  seq          bigint not null,
  type         text not null,
  at           timestamptz(3) not null,
  id_member    uuid,
  id_key       uuid,
  way          text not null,
  request_id   text,
  id_operation uuid,
  undo_of      uuid,
  ids          uuid[] not null,
  leads        uuid[],
  changed      jsonb,
  constraint event_pkey primary key (id_space, seq),
  constraint event_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

-- The history of a lead.
create index event_lead_idx on event using gin (id_space, (coalesce(leads, ids)));

-- Operations: changes of many leads at once, each with what is needed to take it back.
create table operation (
  id_space     uuid not null,
  id           uuid not null,
  kind         text not null,
  state        text not null,
  -- Leads that were selected, and those of them that really changed.
  count        integer not null,
  changed      integer not null,
  id_member    uuid,
  id_key       uuid,
  way          text not null,
  request_id   text,
  filter       jsonb,
  data         jsonb,
  created_at   timestamptz(3) not null,
  done_at      timestamptz(3),
  -- While it runs, its process moves this on. When it is in the past, the process has died.
  lease_until  timestamptz(3),
  error        text,
  -- The number of the newest event when it began: what comes after it may have changed the leads again.
  since_seq    bigint not null,
  undo_of      uuid,
  undone_by    uuid,
  -- Of an undo: how many leads got values back, how many kept newer ones, and why.
  undone       integer,
  kept         integer,
  kept_reasons jsonb,
  constraint operation_pkey primary key (id_space, id),
  constraint operation_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade,
  constraint operation_state_check check (state in ('running', 'done', 'failed', 'stopped'))
);
create index operation_newest_idx on operation (id_space, created_at desc, id desc);

-- Values before and after, leads with equal ones in one row. Steps are taken back in the opposite order.
create table operation_before (
  id_space     uuid not null,
  id_operation uuid not null,
  step         integer not null,
  part         integer not null,
  -- fields, a relation of leads, created, deleted, restored, notes; kept: what an undo could not do.
  what         text not null,
  old          jsonb,
  new          jsonb,
  ids          uuid[] not null,
  constraint operation_before_pkey primary key (id_space, id_operation, step, part),
  constraint operation_before_operation_fkey foreign key (id_space, id_operation)
    references operation (id_space, id) on delete cascade
);
-- The ids are random bits, which do not compress.
alter table operation_before alter column ids set storage external;

-- With the deleted ones: erasing a lead looks for all its notes and reminders.
drop index note_lead_idx;
create index note_lead_idx on note (id_space, id_lead, created_at desc, id);
drop index reminder_lead_idx;
create index reminder_lead_idx on reminder (id_space, id_lead);

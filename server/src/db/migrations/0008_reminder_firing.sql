-- The table "event" could hold nothing but firings of reminders. It gets their name, and a reminder with
-- its date is the key of a firing.
create table reminder_firing (
  id_space    uuid not null,
  id_reminder uuid not null,
  due_at      timestamptz(3) not null,
  fired_at    timestamptz(3) not null,
  payload     jsonb not null,
  -- A reminder fires once for a date, however many processes run.
  constraint reminder_firing_pkey primary key (id_space, id_reminder, due_at),
  constraint reminder_firing_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade,
  constraint reminder_firing_reminder_fkey foreign key (id_space, id_reminder)
    references reminder (id_space, id) on delete cascade
);

insert into reminder_firing (id_space, id_reminder, due_at, fired_at, payload)
select id_space, id_reminder, due_at, created_at, payload from event;

drop table event;

-- What members are told about. It names records and has no text of theirs: what is erased is gone here too.
create table notification (
  id_space   uuid not null,
  id         uuid not null,
  id_member  uuid not null,
  kind       text not null,
  -- Who did it. Null: the service.
  id_actor   uuid,
  id_lead    uuid,
  -- The reminder, note, operation or webhook.
  id_record  uuid,
  -- How many leads it is about.
  count      integer not null,
  created_at timestamptz(3) not null,
  read_at    timestamptz(3),
  -- When it is sent by mail. Null: it is not, or was. In the beginning nobody has decided that.
  mail_at    timestamptz(3) default '-infinity',
  constraint notification_pkey primary key (id_space, id),
  constraint notification_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

create index notification_member_idx on notification (id_space, id_member, id);
create index notification_unread_idx on notification (id_space, id_member) where read_at is null;
create index notification_mail_idx on notification (mail_at) where mail_at is not null;
create index notification_lead_idx on notification (id_space, id_lead) where id_lead is not null;
-- An operation that assigns many leads, and a note that is restored, are told once.
create unique index notification_once_idx on notification (id_space, id_member, kind, id_record)
  where kind in ('assigned', 'mention');

-- How members are told. Those without a row have not chosen.
create table notification_setting (
  id_space    uuid not null,
  id_member   uuid not null,
  -- Kind → way.
  kinds       jsonb not null,
  digest_hour integer not null,
  quiet_from  integer,
  quiet_to    integer,
  constraint notification_setting_pkey primary key (id_space, id_member),
  constraint notification_setting_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- Who is told about a reminder without users, of a lead without owners.
alter table reminder add column id_author uuid;

update reminder set id_author = event.id_member from event
where event.id_space = reminder.id_space and event.type = 'reminder.created'
  and cardinality(event.ids) = 1 and event.ids[1] = reminder.id;

-- The leads of an operation.
create index event_operation_idx on event (id_space, id_operation) where id_operation is not null;

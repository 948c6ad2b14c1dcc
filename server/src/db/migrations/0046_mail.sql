-- Mail that the service sends to its members, each at most once.
create table mail_out (
  id_space   uuid not null,
  id         uuid not null,
  -- The address is read when it is sent.
  id_member  uuid not null,
  kind       text not null,
  -- Null after it was sent.
  content    jsonb,
  -- The path with a one-time token, sealed: see secrets.ts. Null after it was sent.
  link       text,
  -- queued; handed: the server was spoken to; sent, failed or uncertain: nobody knows whether it was sent.
  state      text not null,
  message_id text,
  not_before timestamptz(3) not null,
  expires_at timestamptz(3),
  attempts   integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  handed_at  timestamptz(3),
  constraint mail_out_pkey primary key (id_space, id),
  constraint mail_out_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

create index mail_out_queued_idx on mail_out (id_space, not_before) where state = 'queued';
create index mail_out_member_idx on mail_out (id_space, id_member);

-- The workspaces that send nothing: after a restore, until an admin says so.
create table mail_pause (
  id_space uuid not null,
  constraint mail_pause_pkey primary key (id_space),
  constraint mail_pause_space_fkey foreign key (id_space) references space (id_space)
    on delete cascade
);

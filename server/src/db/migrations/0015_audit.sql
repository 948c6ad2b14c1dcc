-- What matters for the safety of a workspace: keys, members, exports, restores. Rows are only added.
create table audit (
  id_space   uuid not null,
  -- Ids are made in the order of time.
  id         uuid not null,
  at         timestamptz(3) not null,
  id_member  uuid,
  id_key     uuid,
  way        text not null,
  request_id text,
  action     text not null,
  about      jsonb not null,
  constraint audit_pkey primary key (id_space, id),
  constraint audit_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

-- A workspace is the unit of tenancy: every table of its data is keyed by id_space first, and
-- foreign keys carry it, so that a row of another workspace cannot even be referenced.
create table space (
  id_space   uuid not null,
  name       text not null,
  time_zone  text not null,
  created_at timestamptz(3) not null,
  constraint space_pkey primary key (id_space)
);

create table member (
  id_space   uuid not null,
  id         uuid not null,
  name       text not null,
  email      text not null,
  role       text not null,
  created_at timestamptz(3) not null,
  constraint member_pkey primary key (id_space, id),
  constraint member_space_fkey foreign key (id_space) references space (id_space) on delete cascade,
  constraint member_role_check check (role in ('owner', 'admin', 'write', 'read'))
);

create unique index member_email_key on member (id_space, lower(email));

-- Keys are looked up before the workspace is known, so this table belongs to none and has no
-- foreign keys. Only a key's hash is kept.
create table api_key (
  id           uuid not null,
  hash         text not null,
  id_space     uuid not null,
  id_member    uuid not null,
  role         text not null,
  name         text not null,
  hint         text not null,
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3),
  revoked_at   timestamptz(3),
  last_used_at timestamptz(3),
  constraint api_key_pkey primary key (id),
  constraint api_key_hash_key unique (hash),
  constraint api_key_role_check check (role in ('admin', 'write', 'read'))
);

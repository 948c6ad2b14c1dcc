-- The addresses of members' calendars. The workspace is not known before the token is, so the table has no foreign keys
-- and is not distributed.
create table calendar_token (
  id_space   uuid not null,
  id_member  uuid not null,
  hash       text not null,
  created_at timestamptz(3) not null,
  constraint calendar_token_pkey primary key (id_space, id_member),
  constraint calendar_token_hash_key unique (hash)
);

-- A session of the page is a key of its own kind: it is looked up, used and revoked like an API key, and
-- its name says on which device it began.
alter table api_key add column kind text not null default 'key';
alter table api_key add constraint api_key_kind_check check (kind in ('key', 'session'));
-- A key can be addressed in the path of a request, so its key begins with the workspace, as all others do.
alter table api_key drop constraint api_key_pkey;
alter table api_key add constraint api_key_pkey primary key (id_space, id);
create index api_key_member_idx on api_key (id_space, id_member);

-- Links that let somebody in once. Like keys they are looked up before the workspace is known, so the
-- table belongs to none and has no foreign keys. Only a link's hash is kept. A member has at most one
-- link of each purpose.
create table sign_in_link (
  id_space   uuid not null,
  id_member  uuid not null,
  purpose    text not null,
  hash       text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint sign_in_link_pkey primary key (id_space, id_member, purpose),
  constraint sign_in_link_hash_key unique (hash),
  constraint sign_in_link_purpose_check check (purpose in ('sign_in', 'invitation', 'reset'))
);

-- A password belongs to one member of one workspace, not to an email address: the admins of a workspace
-- can make a link that sets it, and must not get into another workspace that way.
create table member_password (
  id_space   uuid not null,
  id_member  uuid not null,
  -- The parameters of scrypt, the salt and the hash.
  hash       text not null,
  changed_at timestamptz(3) not null,
  constraint member_password_pkey primary key (id_space, id_member),
  constraint member_password_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- For signing in with an email address, which names no workspace.
create index member_address_idx on member (lower(email));

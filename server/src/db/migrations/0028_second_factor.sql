-- Who needs a second factor to sign in to the workspace.
alter table space add column second_factor text not null default 'optional';
alter table space add constraint space_second_factor_check
  check (second_factor in ('optional', 'admins', 'everybody'));

-- A passkey signs a challenge with a private key that never leaves its device. This is the public half.
create table passkey (
  id_space     uuid not null,
  id           uuid not null,
  id_member    uuid not null,
  -- The id that the device gave it.
  credential   text not null,
  public_key   bytea not null,
  -- The host that it belongs to. Browsers offer it nowhere else.
  rp_id        text not null,
  -- Counts up with each use, on devices that count. One that falls behind was copied.
  counter      bigint not null,
  transports   text[] not null,
  -- Whether the device copies it to others, as a password manager does.
  backed_up    boolean not null,
  name         text not null,
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkey_pkey primary key (id_space, id),
  constraint passkey_credential_key unique (id_space, id_member, credential),
  constraint passkey_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- The secret that an authenticator app shares with the service, encrypted.
create table member_totp (
  id_space     uuid not null,
  id_member    uuid not null,
  secret       text not null,
  -- The time step of the last accepted code. No code of it or of an earlier one is accepted again.
  last_step    bigint not null,
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint member_totp_pkey primary key (id_space, id_member),
  constraint member_totp_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- Codes on paper, each for one use. Using one deletes it.
create table recovery_code (
  id_space   uuid not null,
  id_member  uuid not null,
  hash       text not null,
  created_at timestamptz(3) not null,
  constraint recovery_code_pkey primary key (id_space, id_member, hash),
  constraint recovery_code_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- Somebody who has given a password or a link, but not yet the second factor. Like links these rows are
-- looked up before the workspace is known, so the table belongs to none and has no foreign keys.
create table pending_sign_in (
  id_space   uuid not null,
  id_member  uuid not null,
  hash       text not null,
  -- What the first step was: the audit log tells it with the session.
  how        jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint pending_sign_in_pkey primary key (id_space, id_member, hash),
  constraint pending_sign_in_hash_key unique (hash)
);

-- What a passkey has to sign, once. `holder` is the hash of a secret in the browser's cookie: of a session,
-- of a pending sign-in, or of neither for somebody who is about to sign in with a passkey.
create table passkey_challenge (
  holder     text not null,
  purpose    text not null,
  challenge  text not null,
  expires_at timestamptz(3) not null,
  constraint passkey_challenge_pkey primary key (holder, purpose)
);
create index passkey_challenge_expiry_idx on passkey_challenge (expires_at);

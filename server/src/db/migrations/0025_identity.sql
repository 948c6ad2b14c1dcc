create unique index member_email_key on member (id_space, email);
-- For signing in with an email address, which names no workspace.
create index member_address_idx on member (email);

-- The account at an OpenID Connect provider that a member has signed in with first. No other account gets in
-- as this member, whatever address it has.
create table member_identity (
  id_space  uuid not null,
  id_member uuid not null,
  issuer    text not null,
  subject   text not null,
  bound_at  timestamptz(3) not null,
  constraint member_identity_pkey primary key (id_space, id_member),
  constraint member_identity_subject_key unique (id_space, issuer, subject),
  constraint member_identity_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);
-- For signing in with an account, which names no workspace.
create index member_identity_account_idx on member_identity (issuer, subject);

-- What the sign-in of a session has proven: the account at the provider, or the members whose password it was.
-- The session can go on in the other workspaces of the same person.
alter table api_key add column proof jsonb;

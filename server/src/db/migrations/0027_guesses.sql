-- How many guesses of passwords and codes were made within the hour and the day: for an account, for a client
-- address, and for addresses that no member has. A guess may belong to no workspace, so the table belongs to
-- none. It has a row for each account that was tried, and a fixed number of others.
create table guess_budget (
  subject    text not null,
  hour_start timestamptz(3) not null,
  hour_used  integer not null,
  day_start  timestamptz(3) not null,
  day_used   integer not null,
  constraint guess_budget_pkey primary key (subject)
);

-- Wrong guesses for a member: those since their last sign-in, of which they are told, and those that are not
-- in the audit log yet.
create table member_refusal (
  id_space  uuid not null,
  id_member uuid not null,
  count     integer not null,
  untold    integer not null,
  since     timestamptz(3) not null,
  last_at   timestamptz(3) not null,
  address   text not null,
  addresses text[] not null,
  constraint member_refusal_pkey primary key (id_space, id_member),
  constraint member_refusal_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);

-- What the person of a session is told: wrong guesses between this sign-in and the one before.
alter table api_key add column refused jsonb;

-- Contract values have decimals.
alter table lead alter column contract_value type numeric;

-- What one unit of a currency is worth in another, `base`, as of a day. Only the rates of the workspace's currency
-- count, so a workspace that changes its currency back has its rates again.
create table rate (
  id_space   uuid not null,
  id         uuid not null,
  base       text not null,
  currency   text not null,
  rate       double precision not null,
  date       date not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint rate_pkey primary key (id_space, id),
  constraint rate_currency_key unique (id_space, base, currency),
  constraint rate_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

-- What leads may have in common with others that are the same (leads/duplicates/keys.ts). Deleted leads have none.
create table lead_key (
  id_space uuid not null,
  -- The number of the kind, the strongest first.
  kind     smallint not null,
  key      text collate "C" not null,
  id_lead  uuid not null,
  -- No foreign key: it would take longer than writing the keys. Who removes a lead removes its keys.
  constraint lead_key_pkey primary key (id_space, kind, key, id_lead)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index lead_key_lead_idx on lead_key (id_space, id_lead);

-- Workspaces whose leads are older than their keys, and how far these are made. Those without a row are done.
create table lead_key_build (
  id_space uuid not null,
  -- The last lead that has its keys.
  id_last  uuid,
  done     integer not null default 0,
  constraint lead_key_build_pkey primary key (id_space),
  constraint lead_key_build_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);

insert into lead_key_build (id_space) select id_space from space;

-- Pairs that somebody has said are not the same. id_lead is the smaller one.
create table not_duplicate (
  id_space uuid not null,
  id_lead  uuid not null,
  id_other uuid not null,
  constraint not_duplicate_pkey primary key (id_space, id_lead, id_other),
  constraint not_duplicate_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint not_duplicate_other_fkey foreign key (id_space, id_other)
    references lead (id_space, id) on delete cascade
);

create index not_duplicate_other_idx on not_duplicate (id_space, id_other);

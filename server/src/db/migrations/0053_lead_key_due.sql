-- Leads whose keys are made in the background (leads/duplicates/build.ts): those of imports, and all of a workspace.
create table lead_key_due (
  id_space uuid not null,
  -- That of the workspace: all leads.
  id       uuid not null,
  -- Null: all leads.
  ids      uuid[],
  -- Of all leads: the last one that has its keys, and how many have.
  id_last  uuid,
  done     integer not null default 0,
  constraint lead_key_due_pkey primary key (id_space, id),
  constraint lead_key_due_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);

insert into lead_key_due (id_space, id, id_last, done)
select id_space, id_space, id_last, done from lead_key_build;

drop table lead_key_build;

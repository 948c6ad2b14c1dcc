-- How far the import of a file came, written in the transaction of each batch: started again after
-- a crash, an import goes on behind the last batch that was kept. The fingerprint is of the file's
-- content and of what was asked for.
create table import_progress (
  id_space       uuid not null,
  id             uuid not null,
  fingerprint    text not null,
  file           text not null,
  row_number     bigint not null,
  created        bigint not null,
  updated        bigint not null,
  skipped        bigint not null,
  rejected       bigint not null,
  rejected_bytes bigint not null,
  started_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  finished_at    timestamptz(3),
  constraint import_progress_pkey primary key (id_space, id),
  constraint import_progress_fingerprint_key unique (id_space, fingerprint),
  constraint import_progress_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);

-- Values of RELATION attributes that name a lead which has not come yet: set when the import ends.
create table import_relation (
  id_space     uuid not null,
  id_import    uuid not null,
  id_lead      uuid not null,
  id_attribute uuid not null,
  id_other     uuid not null,
  constraint import_relation_pkey primary key (id_space, id_import, id_lead, id_attribute),
  constraint import_relation_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade
);

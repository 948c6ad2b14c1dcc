-- The rows that an import over HTTP rejected, as pieces of a file that people correct: the header is the
-- piece of row 0, then one piece for each batch. They are bytes: a row may be in any encoding.
create table import_rejected (
  id_space   uuid not null,
  id_import  uuid not null,
  row_number bigint not null,
  content    bytea not null,
  constraint import_rejected_pkey primary key (id_space, id_import, row_number),
  constraint import_rejected_import_fkey foreign key (id_space, id_import)
    references import_progress (id_space, id) on delete cascade
);

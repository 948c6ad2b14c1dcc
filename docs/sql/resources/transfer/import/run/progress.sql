-- forgetImport
delete from import_progress
where id_space = $1 and fingerprint = $2;

-- openProgress
insert into import_progress ( id_space, id, fingerprint, file, options, row_number, created, updated, skipped, rejected, rejected_bytes, started_at, updated_at )
select $1::uuid, $2::uuid, $3, $4, $5, 0, 0, 0, 0, 0, 0, $6::timestamptz, $7::timestamptz
on conflict (id_space, fingerprint) do nothing;

-- openProgress
select id, row_number, created, updated, skipped, rejected, rejected_bytes, options, started_at, finished_at
from import_progress
where id_space = $1 and fingerprint = $2;

-- saveProgress
update import_progress
set "row_number" = $1, "created" = $2, "updated" = $3, "skipped" = $4, "rejected" = $5, "rejected_bytes" = $6, "finished_at" = $7, "updated_at" = $8
where id_space = $9 and id = $10 and row_number = $11 and finished_at is null
returning id;

-- selectImport
select id, file, coalesce(nullif(options, '')::jsonb ->> 'format', 'csv') as format, created, updated, skipped, rejected, started_at, updated_at, finished_at, exists (
  select
  from import_rejected
  where import_rejected.id_space = $1 and import_rejected.id_import = import_progress.id and import_rejected.row_number > 0
) as has_rejected
from import_progress
where id_space = $2 and id = $3;

-- selectImports
select id, file, coalesce(nullif(options, '')::jsonb ->> 'format', 'csv') as format, created, updated, skipped, rejected, started_at, updated_at, finished_at, exists (
  select
  from import_rejected
  where import_rejected.id_space = $1 and import_rejected.id_import = import_progress.id and import_rejected.row_number > 0
) as has_rejected
from import_progress
where id_space = $2 and true
order by started_at desc, id desc
limit 50;

-- When the leads that were written shortly after the migration were checked: an older release may have written them.
alter table schema_migration add column leads_checked_at timestamptz;
update schema_migration set leads_checked_at = applied_at where applied_at < now() - interval '1 day';

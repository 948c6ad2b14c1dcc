-- The deleted leads, the last deleted first.
create index lead_trash_idx on lead (id_space, is_deleted_at desc, id desc) where is_deleted;

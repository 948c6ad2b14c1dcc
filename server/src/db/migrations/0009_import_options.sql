-- The fingerprint of an import is that of the file's content only: the same file with other options is
-- the same file. What was asked for stands beside it.
alter table import_progress add column options text not null default '';

-- An import finds leads by the value of an attribute (the id in another system), 2,000 in a batch. With
-- a pending list every one of these searches would read the whole list.
alter index lead_attributes_idx set (fastupdate = off);

-- A lead that was merged into another one is deleted, and its id leads to the other.
alter table lead add column merged_into uuid;

create index lead_merged_idx on lead (id_space, merged_into) where merged_into is not null;

-- How many leads a workspace has, kept by the statements that create and delete them: counting a
-- million takes a tenth of a second, and every first page says the total. The number is the sum over
-- the slots; each connection adds to a slot of its own, so that nobody waits for another's commit.
create table lead_count (
  id_space uuid not null,
  slot     integer not null,
  count    bigint not null,
  constraint lead_count_pkey primary key (id_space, slot),
  constraint lead_count_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
)
-- Room for the next version of a row beside it: changing a number then touches no index.
with (fillfactor = 20);

insert into lead_count (id_space, slot, count)
select id_space, 0, count(*) from lead where not is_deleted group by id_space;

-- Deleted leads keep their lists and tags. How many leads a tag has is then the number of its rows
-- without those of deleted leads, which are few.
create index lead_deleted_idx on lead (id_space, id) where is_deleted;

-- Room on a page for new versions of its rows: a change of fields that no index holds then touches
-- none of the many indexes of this table.
alter table lead set (fillfactor = 90);

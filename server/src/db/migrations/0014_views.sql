-- Saved views of the leads: a filter, an order, columns, and how they are shown.
create table saved_view (
  id_space   uuid not null,
  id         uuid not null,
  -- The owner. Null when the owner of a shared view has left the workspace.
  id_member  uuid,
  name       text not null,
  filter     jsonb not null,
  "orderBy"  jsonb not null,
  columns    jsonb not null,
  mode       text not null,
  id_list    uuid,
  shared     boolean not null,
  "order"    double precision not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint saved_view_pkey primary key (id_space, id),
  constraint saved_view_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade,
  constraint saved_view_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade,
  constraint saved_view_list_fkey foreign key (id_space, id_list)
    references list (id_space, id) on delete cascade
);

create index saved_view_member_idx on saved_view (id_space, id_member);
create index saved_view_list_idx on saved_view (id_space, id_list);

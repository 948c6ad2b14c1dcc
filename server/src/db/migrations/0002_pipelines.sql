create table list (
  id_space                    uuid not null,
  id                          uuid not null,
  name                        text not null,
  emoji                       text not null,
  description                 text not null,
  schema                      text not null,
  "order"                     double precision not null,
  can_be_delete               boolean not null,
  favorite                    boolean not null,
  attribute_definitions_order text[] not null,
  is_deleted                  boolean not null,
  created_at                  timestamptz(3) not null,
  updated_at                  timestamptz(3) not null,
  deleted_at                  timestamptz(3),
  constraint list_pkey primary key (id_space, id),
  constraint list_space_fkey foreign key (id_space) references space (id_space) on delete cascade
);

create table status (
  id_space             uuid not null,
  id                   uuid not null,
  id_list              uuid,
  type                 text,
  name                 text not null,
  color                text not null,
  icon                 text not null,
  instructions         text not null,
  "order"              double precision not null,
  success_rate         double precision not null,
  leads_order          jsonb,
  ai_enabled           boolean not null,
  ai_instructions      jsonb,
  ai_instructions_text text not null,
  ai_rules             jsonb,
  ai_rules_text        text not null,
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  constraint status_pkey primary key (id_space, id),
  constraint status_space_fkey foreign key (id_space) references space (id_space) on delete cascade,
  constraint status_list_fkey foreign key (id_space, id_list) references list (id_space, id) on delete cascade,
  constraint status_type_check check (type in ('DEAL_WON', 'DEAL_LOST'))
);

create index status_list_idx on status (id_space, id_list);

create table tag (
  id_space             uuid not null,
  id                   uuid not null,
  id_list              uuid,
  name                 text not null,
  color                text not null,
  icon                 text not null,
  "order"              double precision not null,
  show                 boolean not null,
  ai_enabled           boolean not null,
  ai_instructions      jsonb,
  ai_instructions_text text not null,
  ai_rules             jsonb,
  ai_rules_text        text not null,
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  constraint tag_pkey primary key (id_space, id),
  constraint tag_space_fkey foreign key (id_space) references space (id_space) on delete cascade,
  constraint tag_list_fkey foreign key (id_space, id_list) references list (id_space, id) on delete cascade
);

create index tag_list_idx on tag (id_space, id_list);

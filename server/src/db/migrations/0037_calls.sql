-- Calls and meetings are notes of a kind. A note knows who wrote it, and whom it mentions.
alter table note add column kind text not null default 'note';
alter table note add column happened_at timestamptz(3);
alter table note add column duration integer;
alter table note add column outcome text;
alter table note add column id_author uuid;
alter table note add column mentions uuid[] not null default '{}';

-- The author of earlier notes, as far as the change feed says.
update note set id_author = made.id_member
from (
  select id_space, unnest(ids) as id, id_member
  from event where type = 'note.created' and id_member is not null) made
where note.id_space = made.id_space and note.id = made.id;

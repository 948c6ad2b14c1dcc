-- insertNote
insert into note ("id", "id_lead", "id_parent", "thread_id", "content", "kind", "happened_at", "duration", "outcome", "id_author", "mentions", "id_space", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
returning "id", "content", "created_at", "updated_at", "is_edited_at", "is_pinned_at", "thread_id", "message_id", "id_parent", "id_lead", "id_space", "is_deleted", "is_edited", "is_pinned", "kind", "happened_at", "duration", "outcome", "id_author", "mentions";

-- lockNote
select "id", "content", "created_at", "updated_at", "is_edited_at", "is_pinned_at", "thread_id", "message_id", "id_parent", "id_lead", "id_space", "is_deleted", "is_edited", "is_pinned", "kind", "happened_at", "duration", "outcome", "id_author", "mentions"
from note
where id_space = $1 and id = $2 and not exists (
  select
  from lead
  where lead.id_space = $3 and lead.id = note.id_lead and lead.is_deleted
)
for no key update of note;

-- selectNotes
select "id", "content", "created_at", "updated_at", "is_edited_at", "is_pinned_at", "thread_id", "message_id", "id_parent", "id_lead", "id_space", "is_deleted", "is_edited", "is_pinned", "kind", "happened_at", "duration", "outcome", "id_author", "mentions"
from note
where id_space = $1 and not note.is_deleted and not exists (
  select
  from lead
  where lead.id_space = $2 and lead.id = note.id_lead and lead.is_deleted
) and thread_id = $3
order by created_at desc, id
limit $4
offset $5;

-- updateNote
update note
set "is_deleted" = $1, "updated_at" = $2
where id_space = $3 and id = $4
returning "id", "content", "created_at", "updated_at", "is_edited_at", "is_pinned_at", "thread_id", "message_id", "id_parent", "id_lead", "id_space", "is_deleted", "is_edited", "is_pinned", "kind", "happened_at", "duration", "outcome", "id_author", "mentions";

-- updateNote
update note
set "kind" = $1, "happened_at" = $2, "duration" = $3, "outcome" = $4, "is_pinned" = $5, "is_pinned_at" = $6, "updated_at" = $7
where id_space = $8 and id = $9
returning "id", "content", "created_at", "updated_at", "is_edited_at", "is_pinned_at", "thread_id", "message_id", "id_parent", "id_lead", "id_space", "is_deleted", "is_edited", "is_pinned", "kind", "happened_at", "duration", "outcome", "id_author", "mentions";

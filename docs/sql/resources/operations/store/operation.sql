-- beginOperation
insert into operation ( id_space, id, kind, state, count, changed, id_member, id_key, way, request_id, filter, data, created_at, lease_until, undo_of, since_seq)
select $1::uuid, $2::uuid, $3, 'running', 0, 0, $4::uuid, $5::uuid, $6, $7::text, $8::text::jsonb, $9::text::jsonb, $10::timestamptz, $11::timestamptz, $12::uuid, event_head.seq
from event_head
where event_head.id_space = $13;

-- beginOperation
insert into operation ( id_space, id, kind, state, count, changed, id_member, id_key, way, request_id, filter, data, created_at, lease_until, undo_of, since_seq)
select $1::uuid, $2::uuid, $3, 'running', 0, 0, $4::uuid, $5::uuid, $6, $7::text, null::jsonb, $8::text::jsonb, $9::timestamptz, $10::timestamptz, $11::uuid, event_head.seq
from event_head
where event_head.id_space = $12;

-- beginOperation
insert into operation ( id_space, id, kind, state, count, changed, id_member, id_key, way, request_id, filter, data, created_at, lease_until, undo_of, since_seq)
select $1::uuid, $2::uuid, $3, 'running', 0, 0, $4::uuid, $5::uuid, $6, $7::text, null::jsonb, null::jsonb, $8::timestamptz, $9::timestamptz, $10::uuid, event_head.seq
from event_head
where event_head.id_space = $11;

-- changeOperation
update operation
set "lease_until" = $1, "count" = $2, "changed" = $3
where id_space = $4 and id = $5;

-- changeOperation
update operation
set "undone_by" = $1
where id_space = $2 and id = $3;

-- countChanged
select count(distinct id)::int as count
from operation_before, unnest(operation_before.ids) as id
where operation_before.id_space = $1 and operation_before.id_operation = $2 and what not in ('kept', 'notes', 'reminders');

-- endOperation
update operation
set "state" = $1, "done_at" = $2, "count" = $3, "changed" = $4
where id_space = $5 and id = $6;

-- resumeOperation
select coalesce(max(step), 0)::int as steps
from operation_before
where id_space = $1 and id_operation = $2;

-- selectOperation
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons"
from operation
where id_space = $1 and id = $2
for no key update;

-- selectOperation
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons"
from operation
where id_space = $1 and id = $2;

-- selectOperations
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons"
from operation
where id_space = $1
order by created_at desc, id desc
limit $2;

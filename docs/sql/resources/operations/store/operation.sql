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
set "lease_until" = $1, "count" = $2, "changed" = $3, "data" = data || $4::text::jsonb
where id_space = $5 and id = $6;

-- changeOperation
update operation
set "state" = $1, "done_at" = $2, "count" = $3, "changed" = $4, "data" = data || $5::text::jsonb
where id_space = $6 and id = $7;

-- changeOperation
update operation
set "state" = $1, "done_at" = $2, "count" = $3, "changed" = $4, "event_seq" = $5, "since_seq" = $6
where id_space = $7 and id = $8;

-- changeOperation
update operation
set "undone_by" = $1, "undone" = $2
where id_space = $3 and id = $4;

-- countByMember
select id_member as member, kind, sum(changed)::bigint as count, coalesce(sum(updated), 0)::bigint as updated
from (
  select id_member, kind, changed, event_seq, case when kind = 'import' then greatest(changed - (data ->> 'created')::bigint - coalesce((data ->> 'companies')::bigint, 0), 0) end as updated
  from operation
  where id_space = $1 and created_at >= $2::text::timestamptz and created_at < $3::text::timestamptz
  order by created_at desc, id desc
  limit $4
) recent
where event_seq is null
group by id_member, kind;

-- countChanged
select count(distinct id)::int as count
from operation_before, unnest(operation_before.ids) as id
where operation_before.id_space = $1 and operation_before.id_operation = $2 and what not in ( 'kept', 'notes', 'reminders', 'note_leads', 'reminder_leads', 'made', 'removed');

-- endOperation
update operation
set "state" = $1, "done_at" = $2, "count" = $3, "changed" = $4
where id_space = $5 and id = $6;

-- resumeOperation
select coalesce(max(step), 0)::int as steps
from operation_before
where id_space = $1 and id_operation = $2;

-- selectOperation
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons", "event_seq"
from operation
where id_space = $1 and id = $2
for no key update;

-- selectOperation
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons", "event_seq"
from operation
where id_space = $1 and id = $2;

-- selectOperations
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons", "event_seq"
from operation
where id_space = $1
order by created_at desc, id desc
limit $2;

-- selectRecentOperations
select "id", "kind", "state", "count", "changed", "id_member", "id_key", "way", "request_id", "filter", "data", "created_at", "done_at", "lease_until", "error", "since_seq", "undo_of", "undone_by", "undone", "kept", "kept_reasons", "event_seq"
from (
  select *
  from operation
  where id_space = $1 and created_at >= $2::text::timestamptz and created_at < $3::text::timestamptz
  order by created_at desc, id desc
  limit $4
) recent
where event_seq is null and (state <> 'done' or changed > 0) and kind = any($5::text[])
order by created_at desc, id desc
limit $6;

-- selectRecentOperations
select created_at, id
from operation
where id_space = $1 and created_at >= $2::text::timestamptz and created_at < $3::text::timestamptz
order by created_at desc, id desc
limit 1
offset $4;

-- selectUndone
select event_seq, undone_by
from operation
where id_space = $1 and event_seq = any($2::bigint[]) and undone_by is not null;

-- eraseLeads
delete from lead
where id_space = $1 and id = any($2::uuid[])
returning id;

-- eraseLeads
delete from lead_key
where id_space = $1 and id_lead = any($2::uuid[]);

-- eraseLeads
delete from note
where id_space = $1 and id_lead = any($2::uuid[])
returning id;

-- eraseLeads
delete from notification
where id_space = $1 and id_lead = any($2::uuid[]);

-- eraseLeads
delete from operation_before
where id_space = $1 and id_operation = any($2::uuid[]) and ids = '{}';

-- eraseLeads
delete from operation_before
where id_space = $1 and what in ('note_leads', 'reminder_leads') and array[(old ->> 'id_lead')::uuid, (new ->> 'id_lead')::uuid] && $2::uuid[]
returning id_operation;

-- eraseLeads
delete from reminder
where id_space = $1 and id_lead = any($2::uuid[])
returning id;

-- eraseLeads
insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
select $1::uuid, $2::uuid, row_number() over ()::int, 'lead.erased', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, found.ids, found.leads, found.changed
from (
  select array_agg(id) as ids, null::uuid[] as leads, null::jsonb as changed
  from (
    select id, (row_number() over () - 1) / $11::int as chunk
    from unnest($12::uuid[]) as id
  ) numbered
  group by chunk
) found;

-- eraseLeads
select coalesce(array_agg(distinct id_into), '{}') as leads, coalesce(array_agg(distinct id_operation), '{}') as operations
from (
  select id_operation, coalesce(new ->> 'merged_into', old ->> 'merged_into')::uuid as id_into
  from operation_value, unnest(ids) as each (id)
  where id_space = $1 and what = 'merged' and each.id in (
    select unnest($2::uuid[])
  )
) merged;

-- eraseLeads
select count(*)
from (
  select
  from event
  where id_space = $1 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($2::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $3::uuid[])
  order by seq
  for update
) locked;

-- eraseLeads
select count(*)
from (
  select
  from event_new
  where id_space = $1 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($2::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $3::uuid[])
  order by id, part
  for update
) locked;

-- eraseLeads
select count(*)
from (
  select
  from operation_before
  where id_space = $1 and (id_operation, step, part) in (
    select id_operation, step, part
    from operation_before, unnest(ids) as id
    where id_space = $2 and id in (
      select unnest($3::uuid[])
    )
  )
  order by id_operation, step, part
  for update
) locked;

-- eraseLeads
update idempotency
set answer = null
where id_space = $1 and answer is not null and exists (
  select
  from regexp_matches(answer, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') found
  where found[1]::uuid = any(($2::uuid[] || $3::uuid[]))
);

-- eraseLeads
update mail_out
set content = jsonb_set(content, '{items}', (
  select jsonb_agg(case when exists (
    select
    from unnest($1::uuid[]) as lead (id)
    where item ->> 'path' = '/lead/' || lead.id
  ) then item - 'detail' else item end order by place)
  from jsonb_array_elements(content -> 'items') with ordinality as each (item, place)
))
where id_space = $2 and exists (
  select
  from jsonb_array_elements(content -> 'items') as each (item)
  where item ? 'detail' and exists (
    select
    from unnest($3::uuid[]) as lead (id)
    where item ->> 'path' = '/lead/' || lead.id
  )
);

-- eraseLeads
update operation
set filter = null, data = null
where id_space = $1 and (filter is not null or data is not null) and (state <> 'running' or lease_until <= $2) and (changed = 0 or id = any($3::uuid[])) and id not in (
  select id_operation
  from operation_before
  where id_space = $4 and id_operation = any($5::uuid[]) and what not in ('made', 'removed')
)
returning id;

-- eraseLeads
update webhook_attempt
set answer = null
where id_space = $1 and answer is not null and (seq is null or seq in (
  select seq
  from event
  where id_space = $2 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($3::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $4::uuid[])
));

-- eraseLeads
with gone as materialized (
  select unnest($1::uuid[]) as id_gone
), left_over as materialized (
  select event.seq, array_agg(id_each order by place) filter (where leads is null and id_gone is null) as left_ids
  from event
  cross join unnest(ids) with ordinality as each (id_each, place)
  left join gone on id_gone = id_each
  where id_space = $2 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($3::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $4::uuid[])
  group by event.seq
)
update event
set ids = coalesce(left_ids, ids), changed = case when left_ids is not null then changed end,
-- A client may have chosen it, and named the lead in it.
request_id = case when request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then request_id end
from left_over
where id_space = $5 and (event.seq) = (left_over.seq)
returning id_operation;

-- eraseLeads
with gone as materialized (
  select unnest($1::uuid[]) as id_gone
), left_over as materialized (
  select event_new.id, event_new.part, array_agg(id_each order by place) filter (where leads is null and id_gone is null) as left_ids
  from event_new
  cross join unnest(ids) with ordinality as each (id_each, place)
  left join gone on id_gone = id_each
  where id_space = $2 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($3::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $4::uuid[])
  group by event_new.id, event_new.part
)
update event_new
set ids = coalesce(left_ids, ids), changed = case when left_ids is not null then changed end,
-- A client may have chosen it, and named the lead in it.
request_id = case when request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then request_id end
from left_over
where id_space = $5 and (event_new.id, event_new.part) = (left_over.id, left_over.part)
returning id_operation;

-- eraseLeads
with gone as materialized (
  select unnest($1::uuid[]) as id_gone
), left_over as materialized (
  select id_operation, step, part, case when is_packed then jsonb_agg(each_old order by place) filter (where id_gone is null) else old end as old, case when is_packed then jsonb_agg(each_new order by place) filter (where id_gone is null) else new end as new, coalesce(array_agg(id_each order by place) filter (where id_gone is null), '{}') as ids
  from operation_before
  cross join rows
  from (unnest(ids), jsonb_array_elements(case when is_packed then old else '[]' end), jsonb_array_elements(case when is_packed then new else '[]' end)) with ordinality as each (id_each, each_old, each_new, place)
  left join gone on id_gone = id_each
  where id_space = $2 and (id_operation, step, part) in (
    select id_operation, step, part
    from operation_before, unnest(ids) as id
    where id_space = $3 and id in (
      select unnest($4::uuid[])
    )
  )
  group by id_space, id_operation, step, part
)
update operation_before
set ids = left_over.ids, old = left_over.old, new = left_over.new
from left_over
where operation_before.id_space = $5 and operation_before.id_operation = left_over.id_operation and operation_before.step = left_over.step and operation_before.part = left_over.part
returning operation_before.id_operation;

-- holdOffErasing
select pg_advisory_xact_lock_shared($1::int, hashtext($2));

-- lockForErasing
select pg_advisory_xact_lock($1::int, hashtext($2));

-- tryHoldOffErasing
select pg_try_advisory_xact_lock_shared($1::int, hashtext($2)) as is_ours;

-- withMerged
select count(*)::int as count, array_agg(part)::text as ids
from (
  with recursive whole (id, part) as (
    select id, id
    from unnest($1::uuid[]) as given (id)
    union
    select whole.id, lead.id
    from whole
    join lead on lead.id_space = $2 and lead.merged_into = whole.part
  )
  select id, part
  from whole
) whole;

-- countUndone
select count(distinct id) filter (where what not in ( 'kept', 'notes', 'reminders', 'note_leads', 'reminder_leads', 'made', 'removed'))::int as undone, count(distinct id) filter (where what = 'kept')::int as kept
from operation_before, unnest(operation_before.ids) as id
where operation_before.id_space = $1 and operation_before.id_operation = $2;

-- countUndone
select operation_before.old ->> 'reason' as reason, count(distinct id)::int as leads
from operation_before, unnest(operation_before.ids) as id
where operation_before.id_space = $1 and operation_before.id_operation = $2 and operation_before.what = 'kept'
group by operation_before.old ->> 'reason'
order by 1;

-- lockLeadsOf
select count(*)
from (
  select lead.id
  from lead
  where lead.id_space = $1 and lead.id = any(array(
    select unnest(ids)
    from operation_before
    where id_space = $2 and id_operation = $3 and what not in ( 'kept', 'notes', 'reminders', 'note_leads', 'reminder_leads', 'made', 'removed')
  ))
  order by lead.id
  for no key update
) locked;

-- selectDone
select $1::text as operation, $2::text as since, what, count(distinct step)::int as steps
from operation_before
where id_space = $3 and id_operation = $4 and what <> 'kept'
-- What belongs to merged leads goes back to them when they are there.
group by what
order by what <> 'merged';

-- undoOperation
update operation
set undone = $1, kept = $2, kept_reasons = $3::text::jsonb, data = $4::text::jsonb
where id_space = $5 and id = $6;

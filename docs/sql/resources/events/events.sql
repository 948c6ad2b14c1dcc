-- selectLeadEvents
select seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed
from event
where id_space = $1 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any(array[$2::uuid]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && array[$3::uuid])
order by seq desc
limit $4;

-- selectPage
select head.epoch, head.seq as last, head.pruned, found.*
from event_head head
left join lateral (
  select seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed
  from event
  where id_space = $1 and seq > greatest(head.pruned, $2) and seq <= greatest(head.pruned, $3) + $4
  order by seq
  limit $5
) found on true
where head.id_space = $6
order by found.seq;

-- countRecent
select id_member as member, type, sum(records)::bigint as count, min(at) as oldest
from (
  select id_member, type, at, case when type like '%.updated' then max(cardinality(ids)) else sum(cardinality(ids)) end as records
  from event
  where id_space = $1 and seq >= $2 and seq < $3 and id_operation is null and type = any($4::text[])
  group by id_member, type, at, coalesce(request_id, seq::text)
) request
group by id_member, type;

-- selectLeadEvents
select seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed
from event
where id_space = $1 and (leads is not null or type like 'lead.%') and ( cardinality(coalesce(leads, ids)) = 1 and (coalesce(leads, ids))[1] = any($2::uuid[]) or cardinality(coalesce(leads, ids)) > 1 and coalesce(leads, ids) && $3::uuid[])
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

-- selectRecentEvents
select seq, type, at, id_member, id_key, way, request_id, id_operation, undo_of, ids, changed, case when (leads is not null or type like 'lead.%') then coalesce(leads, ids) else '{}' end as leads
from event
where id_space = $1 and seq >= $2 and seq < $3 and id_operation is null and type = any($4::text[])
order by seq desc
limit $5;

-- selectSeqAt
with recursive search (low, high) as (
  select event_head.pruned + 1, event_head.seq + 1
  from event_head
  where event_head.id_space = $1
  union all
  select case when found.at < $2::text::timestamptz then middle + 1 else low end, case when found.at < $3::text::timestamptz then high else middle end
  from search, lateral (
    select (low + high) / 2 as middle
  ) half, lateral (
    select event.at
    from event
    where event.id_space = $4 and event.seq = middle
  ) found
  where low < high
)
select low as seq
from search
order by high - low
limit 1;

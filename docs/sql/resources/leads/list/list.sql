-- selectAllIds
select string_agg(uuid_send(id), ''::bytea order by place) as ids
from (
  select lead.id, row_number() over (order by lead."created_at" asc, lead.id asc) - 1 as place
  from lead
  where lead.id_space = $1 and not lead.is_deleted and ((ascii(lead."email") between 33 and 126 or lead."email" ~ '\S'))
) placed
group by place / 20000
order by place / 20000;

-- selectAllIds
select string_agg(uuid_send(id), ''::bytea order by place) as ids
from (
  select lead.id, row_number() over (order by lead."created_at" desc, lead.id asc) - 1 as place
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (false)
) placed
group by place / 20000
order by place / 20000;

-- selectAllIds
select string_agg(uuid_send(id), ''::bytea order by place) as ids
from (
  select lead.id, row_number() over (order by lead."created_at" desc, lead.id asc) - 1 as place
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (true)
) placed
group by place / 20000
order by place / 20000;

-- selectAllIds
select string_agg(uuid_send(id), ''::bytea order by place) as ids
from (
  select lead.id, row_number() over (order by stage."order" asc nulls last, stage.id asc, listed.position asc nulls last, stage.place asc, lead.created_at desc, lead.id asc) - 1 as place
  from lead
  left join (
    select distinct on (lead_status.id_lead) lead_status.id_lead, status.id, status."order", lead_status.place
    from lead_status
    join status on status.id_space = $1 and status.id = lead_status.id_status
    where lead_status.id_space = $2 and true
    order by lead_status.id_lead, status."order", status.id
  ) stage on stage.id_lead = lead.id
  left join (
    select status.id, entry.value as id_lead, min(entry.position) as position
    from status, jsonb_array_elements_text( case when jsonb_typeof(status.leads_order) = 'array' then status.leads_order end ) with ordinality as entry (value, position)
    where status.id_space = $3
    group by status.id, entry.value
  ) listed on listed.id = stage.id and listed.id_lead = lead.id::text
  where lead.id_space = $4 and not lead.is_deleted and (true)
) placed
group by place / 20000
order by place / 20000;

-- selectPage
with page as materialized (
  select lead.id
  from lead
  left join (
    select distinct on (lead_status.id_lead) lead_status.id_lead, status.id, status."order", lead_status.place
    from lead_status
    join status on status.id_space = $1 and status.id = lead_status.id_status
    where lead_status.id_space = $2 and true
    order by lead_status.id_lead, status."order", status.id
  ) stage on stage.id_lead = lead.id
  left join (
    select status.id, entry.value as id_lead, min(entry.position) as position
    from status, jsonb_array_elements_text( case when jsonb_typeof(status.leads_order) = 'array' then status.leads_order end ) with ordinality as entry (value, position)
    where status.id_space = $3
    group by status.id, entry.value
  ) listed on listed.id = stage.id and listed.id_lead = lead.id::text
  where lead.id_space = $4 and not lead.is_deleted and (true)
  order by stage."order" asc nulls last, stage.id asc, listed.position asc nulls last, stage.place asc, lead.created_at desc, lead.id asc
  limit $5
  offset $6
)
select array(
  select id
  from page
) as ids, case when count(*) < $7 and (count(*) > 0 or $8::bigint = 0) then $9::bigint + count(*) else (
  select coalesce(sum(count), 0)::bigint
  from lead_count
  where id_space = $10
) end as total
from page;

-- selectPage
with page as materialized (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (false)
  order by lead."created_at" desc, lead.id asc
  limit $2
  offset $3
)
select array(
  select id
  from page
) as ids, case when count(*) < $4 and (count(*) > 0 or $5::bigint = 0) then $6::bigint + count(*) else (
  select count(*)
  from lead
  where lead.id_space = $7 and not lead.is_deleted and (false)
) end as total
from page;

-- selectPage
with page as materialized (
  select lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and (true)
  order by lead."created_at" desc, lead.id asc
  limit $2
  offset $3
)
select array(
  select id
  from page
) as ids, case when count(*) < $4 and (count(*) > 0 or $5::bigint = 0) then $6::bigint + count(*) else (
  select coalesce(sum(count), 0)::bigint
  from lead_count
  where id_space = $7
) end as total
from page;

-- selectPageOfSelected
with every as materialized (
  select lead."created_at" as key_0, lead.id as key_1, lead.id
  from lead
  where lead.id_space = $1 and not lead.is_deleted and ((ascii(lead."email") between 33 and 126 or lead."email" ~ '\S'))
)
select array(
  select id
  from every
  order by key_0 desc, key_1 asc
  limit $2
  offset $3
) as ids, (
  select count(*)
  from every
) as total;

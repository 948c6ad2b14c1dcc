-- countGroups
with recursive merged (id, id_into) as (
  select id, merged_into
  from lead
  where id_space = $1 and merged_into is not null
  union
  select merged.id, lead.merged_into
  from merged
  join lead on lead.id_space = $2 and lead.id = merged.id_into and lead.merged_into is not null
), told as (
  select coalesce(one.id_into, not_duplicate.id_lead) as id_one, coalesce(other.id_into, not_duplicate.id_other) as id_other
  from not_duplicate
  left join merged one on one.id = not_duplicate.id_lead
  left join merged other on other.id = not_duplicate.id_other
  where not_duplicate.id_space = $3
), different as (
  select distinct least(id_one, id_other) as id_lead, greatest(id_one, id_other) as id_other
  from told
  where id_one <> id_other
), loose as materialized (
  select key, id_lead
  from lead_key
  where id_space = $4 and kind = $5
), met as (
  select key, id_lead
  from loose
  union
  select key, id_lead
  from lead_key
  where id_space = $6 and kind = $7 and key = any(array(
    select key from loose
  ))
), found as materialized (
  select kind, key, count(*) as size, case when count(*) <= $8 then array_agg(id_lead) end as ids
  from lead_key
  where id_space = $9 and kind <> $10
  group by kind, key
  having count(*) > 1
  union all
  select $11::smallint, key, count(*), case when count(*) <= $12 then array_agg(id_lead) end
  from met
  group by key
  having count(*) > 1
), member as materialized (
  select kind, key, size, unnest(ids) as id_lead
  from found
), dismissed as (
  select one.kind, one.key
  from different
  join member one on one.id_lead = different.id_lead
  join member other on other.id_lead = different.id_other and other.kind = one.kind and other.key = one.key
  group by one.kind, one.key, one.size
  having count(*) = one.size * (one.size - 1) / 2
), repeated as (
  select distinct one.kind, one.key
  from member one
  join member other on other.id_lead = one.id_lead and other.kind < one.kind
  group by one.kind, one.key, one.size, other.kind, other.key
  having count(*) = one.size
)
select found.kind, count(*) filter (where ids is not null)::int as groups, count(*) filter (where ids is null)::int as large, count(*) filter (where ids is not null and repeated.key is null)::int as own
from found
left join dismissed on dismissed.kind = found.kind and dismissed.key = found.key
left join repeated on repeated.kind = found.kind and repeated.key = found.key
where dismissed.key is null
group by found.kind;

-- deleteDismissed
with whole as materialized (
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
)
delete from not_duplicate
where id_space = $3 and id_lead in (
  select part
  from whole
) and id_other in (
  select part
  from whole
);

-- insertDismissed
insert into not_duplicate (id_space, id_lead, id_other)
select $1::uuid, pair.id_lead, pair.id_other
from (
  select one.id as id_lead, other.id as id_other
  from unnest($2::uuid[]) as one (id)
  join unnest($3::uuid[]) as other (id) on one.id < other.id
) pair
on conflict do nothing;

-- selectDismissed
with whole as materialized (
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
)
select distinct least(one.id, other.id) as id_lead, greatest(one.id, other.id) as id_other
from whole one
join not_duplicate on not_duplicate.id_space = $3 and not_duplicate.id_lead = one.part
join whole other on other.part = not_duplicate.id_other
where one.id <> other.id;

-- selectKeyBatch
with entry as materialized (
  select key, id_lead
  from lead_key
  where id_space = $1 and kind = $2 and key >= $3
  order by key, id_lead
  limit $4
)
select (
  select count(*)::int
  from entry
) as read, (
  select max(key)
  from entry
) as last, coalesce((
  select json_agg(json_build_object('key', key, 'size', size, 'ids', ids) order by key)
  from (
    select key, count(*)::int as size, (array_agg(id_lead order by id_lead))[1:$5::int] as ids
    from (
      select key, id_lead
      from entry
      union
      select key, id_lead
      from lead_key
      where id_space = $6 and kind = $7 and key = any(array(
        select key from entry
      ))
    ) member
    group by key
    having count(*) > 1
  ) found
), '[]') as groups;

-- selectKeyBatch
with entry as materialized (
  select key, id_lead
  from lead_key
  where id_space = $1 and kind = $2 and key >= $3
  order by key, id_lead
  limit $4
)
select (
  select count(*)::int
  from entry
) as read, (
  select max(key)
  from entry
) as last, coalesce((
  select json_agg(json_build_object('key', key, 'size', size, 'ids', ids) order by key)
  from (
    select key, count(*)::int as size, (array_agg(id_lead order by id_lead))[1:$5::int] as ids
    from (
      select key, id_lead
      from entry
    ) member
    group by key
    having count(*) > 1
  ) found
), '[]') as groups;

-- selectKeysOf
select id_lead, kind, key from lead_key
where id_space = $1 and id_lead = any($2::uuid[]);

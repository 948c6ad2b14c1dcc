-- followMerged
with recursive chain (merged, id, merged_into, is_deleted) as (
  select id, id, merged_into, is_deleted
  from lead
  where id_space = $1 and id = any($2::uuid[]) and merged_into is not null
  union
  select chain.merged, lead.id, lead.merged_into, lead.is_deleted
  from chain
  join lead on lead.id_space = $3 and lead.id = chain.merged_into
)
select merged, id, is_deleted
from chain
where merged_into is null;

-- selectParts
with recursive whole (id, part) as (
  select id, id
  from unnest($1::uuid[]) as given (id)
  union
  select whole.id, lead.id
  from whole
  join lead on lead.id_space = $2 and lead.merged_into = whole.part
)
select id, part
from whole;

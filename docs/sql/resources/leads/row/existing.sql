-- selectMerged
with recursive merged (id) as (
  select id
  from lead
  where id_space = $1 and merged_into = $2
  union
  select lead.id
  from merged
  join lead on lead.id_space = $3 and lead.merged_into = merged.id
)
select id
from merged;

-- selectNames
select "id", "is_deleted", "first_name", "last_name", "company", "email", "is_company"
from lead
where id_space = $1 and id = any($2::uuid[]);

-- survivorOf
with recursive chain (merged, id, merged_into, is_deleted) as (
  select id, id, merged_into, is_deleted
  from lead
  where id_space = $1 and id = any($2::uuid[]) and merged_into is not null
  union
  select chain.merged, lead.id, lead.merged_into, lead.is_deleted
  from chain
  join lead on lead.id_space = $3 and lead.id = chain.merged_into
)
select merged, id
from chain
where not is_deleted;

-- touchLead
update lead
set last_interaction_at = greatest(last_interaction_at, $1::timestamptz)
where id_space = $2 and id = $3 and not is_deleted
returning id;

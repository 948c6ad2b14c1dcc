-- selectDeleted
select count(*) as total
from lead
where lead.id_space = $1 and lead.is_deleted and lead.merged_into is null and (exists (
  select
  from lead_search
  where id_space = $2 and id_lead = lead.id and text like $3
));

-- selectDeleted
select lead.id, lead.is_deleted_at as at
from lead
where lead.id_space = $1 and lead.is_deleted and lead.merged_into is null and (exists (
  select
  from lead_search
  where id_space = $2 and id_lead = lead.id and text like $3
))
order by lead.is_deleted_at desc, lead.id desc
limit $4;

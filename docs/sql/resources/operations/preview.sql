-- lookAt
select "id", "first_name", "last_name", "company", "email", "is_company", null as number
from lead
where lead.id_space = $1 and not lead.is_deleted and (exists (
  select
  from lead_search
  where id_space = $2 and id_lead = lead.id and text like $3
)) and (lead."city" is distinct from $4::text)
order by lead.created_at desc, lead.id
limit $5;

-- lookAt
select "id", "first_name", "last_name", "company", "email", "is_company", null as number
from lead
where lead.id_space = $1 and not lead.is_deleted and (exists (
  select
  from lead_search
  where id_space = $2 and id_lead = lead.id and text like $3
)) and true
order by lead.created_at desc, lead.id
limit $4;

-- lookAt
select count(*)::int as count, (count(*) filter (where (lead."city" is distinct from $1::text)))::int as changed
from lead
where lead.id_space = $2 and not lead.is_deleted and (exists (
  select
  from lead_search
  where id_space = $3 and id_lead = lead.id and text like $4
));

-- lookAt
select count(*)::int as count, (count(*) filter (where true))::int as changed
from lead
where lead.id_space = $1 and not lead.is_deleted and (exists (
  select
  from lead_search
  where id_space = $2 and id_lead = lead.id and text like $3
));

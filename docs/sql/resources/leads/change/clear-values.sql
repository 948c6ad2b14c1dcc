-- clearValues
select count(*)
from (
  select id
  from lead
  where id_space = $1 and attributes ? $2::text
  order by id
  for no key update
) locked;

-- clearValues
update lead
set attributes = attributes - $1::text
where id_space = $2 and attributes ? $3::text;

-- selectSampleLead
select id
from lead
where id_space = $1 and not is_deleted
order by created_at desc, id
limit 1;

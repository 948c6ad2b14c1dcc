-- selectNames
select "id", "is_deleted", "first_name", "last_name", "company", "email", "is_company"
from lead
where id_space = $1 and id = any($2::uuid[]);

-- touchLead
update lead
set last_interaction_at = greatest(last_interaction_at, $1::timestamptz)
where id_space = $2 and id = $3 and not is_deleted
returning id;

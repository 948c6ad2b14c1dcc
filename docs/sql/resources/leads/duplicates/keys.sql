-- forgetKeys
delete from lead_key using unnest($1::uuid[]) as written (id)
where lead_key.id_space = $2 and lead_key.id_lead = written.id;

-- refreshKeys
delete from lead_key using unnest($1::text::uuid[]) as written (id)
where lead_key.id_space = $2 and lead_key.id_lead = written.id;

-- refreshKeys
select id, "first_name", "last_name", "company", "is_company", "email", "other_emails", "phone", "other_phones", "linkedin_url", "website_url", "timezone"
from lead
where id_space = $1 and id = any($2::uuid[]) and not is_deleted;

-- refreshKeys
select written.id
from unnest($1::text::uuid[]) as written (id)
order by written.id;

-- refreshKeys
select written.id
from unnest($1::uuid[]) as written (id)
order by written.id;

-- selectZone
select time_zone
from space
where id_space = $1;

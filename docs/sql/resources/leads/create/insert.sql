-- claimsOf
select wanted.name, md5(lower(wanted.name)) as claim
from unnest($1::text[]) as wanted (name)
left join lateral (
  select lead.id
  from lead
  where lead.id_space = $2 and lead.is_company and not lead.is_deleted and left(lower(btrim(lead.company, e' \t\r\n\u00a0')), 255) = left(lower(btrim(wanted.name, e' \t\r\n\u00a0')), 255) and lower(btrim(lead.company, e' \t\r\n\u00a0')) = lower(btrim(wanted.name, e' \t\r\n\u00a0'))
  limit 1
) found on true
where found.id is null;

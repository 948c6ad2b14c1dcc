-- selectDue
/* across workspaces */
select id_space, id, date, cron
from reminder
where not is_deleted and fired_at is null and (cron <> '' or not is_done) and date <= $1
order by date, id_space, id
limit $2;

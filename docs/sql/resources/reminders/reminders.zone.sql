-- lockRecurring
select id, date, cron, id_lead
from reminder
where id_space = $1 and not is_deleted and cron <> '' and date > $2
order by id
for update;

-- moveReminders
update reminder
set date = moved.date, updated_at = $1
from jsonb_to_recordset($2::text::jsonb) as moved (id uuid, date timestamptz)
where reminder.id_space = $3 and reminder.id = moved.id;

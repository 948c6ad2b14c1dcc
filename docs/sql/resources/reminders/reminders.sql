-- countReminders
select count(*) as count
from reminder
where reminder.id_space = $1 and not reminder.is_deleted and not exists (
  select
  from lead
  where lead.id_space = $2 and lead.id = reminder.id_lead and lead.is_deleted
) and (true and reminder.is_done = $3 and reminder.date < $4::timestamptz);

-- insertReminder
insert into reminder ("id", "id_lead", "name", "ressource_link", "date", "cron", "cron_id", "id_space", "id_author", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- lockReminder
select id
from reminder
where id_space = $1 and id = $2 and not is_deleted
for update;

-- replaceUsers
delete from reminder_user
where id_space = $1 and id_reminder = $2;

-- replaceUsers
insert into reminder_user (id_space, "id_reminder", "id_member")
values ($1::uuid, $2::uuid, $3::uuid);

-- selectReminder
select "id", "date", "created_at", "updated_at", "name", "cron", "cron_id", "ressource_link", "id_lead", "id_space", "is_deleted", "is_done", "fired_at", array(
  select id_member
  from reminder_user
  where reminder_user.id_space = $1 and reminder_user.id_reminder = reminder.id
  order by id_member
) as users
from reminder
where reminder.id_space = $2 and not reminder.is_deleted and not exists (
  select
  from lead
  where lead.id_space = $3 and lead.id = reminder.id_lead and lead.is_deleted
) and reminder.id = $4;

-- selectReminders
select "id", "date", "created_at", "updated_at", "name", "cron", "cron_id", "ressource_link", "id_lead", "id_space", "is_deleted", "is_done", "fired_at", array(
  select id_member
  from reminder_user
  where reminder_user.id_space = $1 and reminder_user.id_reminder = reminder.id
  order by id_member
) as users
from reminder
where reminder.id_space = $2 and not reminder.is_deleted and not exists (
  select
  from lead
  where lead.id_space = $3 and lead.id = reminder.id_lead and lead.is_deleted
) and (true and reminder.is_done = $4 and reminder.name ilike $5)
order by reminder.date asc nulls last, reminder.id
limit $6
offset $7;

-- updateReminder
update reminder
set "is_deleted" = $1, "updated_at" = $2
where id_space = $3 and id = $4;

-- updateReminder
update reminder
set "is_done" = $1, "updated_at" = $2
where id_space = $3 and id = $4;

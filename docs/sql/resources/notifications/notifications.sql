-- countUnread
select count(*)::int as count
from notification
where id_space = $1 and id_member = $2 and read_at is null;

-- markRead
update notification
set read_at = $1, mail_at = null
where id_space = $2 and id_member = $3 and read_at is null and (id = any($4::uuid[]) )
returning id;

-- selectNotifications
select told.id, told.kind, told.created_at, told.read_at, told.id_actor, told.id_lead, told.id_record, told.count, coalesce(reminder.name, left(note.content, $1::int), nullif(webhook.name, ''), webhook.url, operation.error, '') as text, case when operation.id is not null then jsonb_build_object('kind', operation.kind, 'state', operation.state, 'lease_until', operation.lease_until) end as operation
from notification told
left join reminder on reminder.id_space = $2 and reminder.id = told.id_record and not reminder.is_deleted
left join note on note.id_space = $3 and note.id = told.id_record and not note.is_deleted
left join webhook on webhook.id_space = $4 and webhook.id = told.id_record
left join operation on operation.id_space = $5 and operation.id = told.id_record
where told.id_space = $6 and told.id_member = $7 and told.read_at is null
order by told.id desc
limit $8;

-- selectSettings
select id_member, kinds, digest_hour, quiet_from, quiet_to, details
from notification_setting
where id_space = $1 and id_member = any($2::uuid[]);

-- upsertSetting
insert into notification_setting (id_space, id_member, kinds, digest_hour, quiet_from, quiet_to, details)
values ($1, $2, $3::text::jsonb, $4, $5, $6, $7)
on conflict (id_space, id_member) do update
set kinds = excluded.kinds, digest_hour = excluded.digest_hour, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, details = excluded.details;

-- upsertSetting
update notification
set mail_at = '-infinity'
where id_space = $1 and id_member = $2 and mail_at is not null;

-- saveCampaign
insert into campaign ("name", "icon", "status", "days", "timezone", "job_id", "id_email_group", "id_email_alias", "start_hour", "start_min", "end_hour", "end_min", "time_between_send", "unsubscribe_link", "stop_sending_after_reply", "stop_sending_after_bounce", "track_open_rate", "is_deleted", "id", "id_space", "start_date", "created_at", "updated_at", "end_date")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24);

-- saveStep
insert into campaign_step ("name", "delay_days", "subject", "body", "id", "id_campaign", "position", "id_space")
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- selectKnownCampaigns
select "status", "id", "name", "icon", "days", "timezone", "job_id", "id_email_group", "id_space", "created_at", "updated_at", "start_date", "end_date", "is_deleted", "unsubscribe_link", "stop_sending_after_reply", "track_open_rate", "stop_sending_after_bounce", "start_hour", "start_min", "end_hour", "end_min", "time_between_send", "id_email_alias"
from campaign
where id_space = $1 and (id = any($2::uuid[]) or (name = any($3::text[]) and not is_deleted));

-- selectKnownSteps
select id, id_campaign, position, name, subject, body, delay_days
from campaign_step
where id_space = $1 and (id_campaign = any($2::uuid[]) or id = any($3::uuid[]));

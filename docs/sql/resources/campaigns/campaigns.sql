-- countCampaigns
select count(*) as count
from campaign
where id_space = $1 and not is_deleted;

-- selectCampaign
select "status", "id", "name", "icon", "days", "timezone", "job_id", "id_email_group", "id_space", "created_at", "updated_at", "start_date", "end_date", "is_deleted", "unsubscribe_link", "stop_sending_after_reply", "track_open_rate", "stop_sending_after_bounce", "start_hour", "start_min", "end_hour", "end_min", "time_between_send", "id_email_alias"
from campaign
where id_space = $1 and id = $2 and not is_deleted;

-- selectCampaigns
select "status", "id", "name", "icon", "days", "timezone", "job_id", "id_email_group", "id_space", "created_at", "updated_at", "start_date", "end_date", "is_deleted", "unsubscribe_link", "stop_sending_after_reply", "track_open_rate", "stop_sending_after_bounce", "start_hour", "start_min", "end_hour", "end_min", "time_between_send", "id_email_alias"
from campaign
where id_space = $1 and not is_deleted
order by created_at desc, id
limit $2
offset $3;

-- selectResults
with result as (
  select step.id_campaign, bool_or(is_sent) as is_sent, bool_or(is_delivered) as is_delivered, bool_or(is_opened) as is_opened, bool_or(is_clicked) as is_clicked, bool_or(is_replied) as is_replied, bool_or(is_bounced) as is_bounced, bool_or(is_unsubscribed) as is_unsubscribed
  from campaign_step step
  join lead_step on lead_step.id_space = $1 and lead_step.id_step = step.id
  where step.id_space = $2 and step.id_campaign = any($3::uuid[]) and exists (
    select
    from lead
    where lead.id_space = $4 and lead.id = lead_step.id_lead and not lead.is_deleted and (true)
  )
  group by step.id_campaign, lead_step.id_lead
)
select campaign.id, count(*) filter (where is_sent)::int as is_sent, count(*) filter (where is_delivered)::int as is_delivered, count(*) filter (where is_opened)::int as is_opened, count(*) filter (where is_clicked)::int as is_clicked, count(*) filter (where is_replied)::int as is_replied, count(*) filter (where is_bounced)::int as is_bounced, count(*) filter (where is_unsubscribed)::int as is_unsubscribed, (
  select count(*)::int
  from lead_campaign
  where lead_campaign.id_space = $5 and lead_campaign.id_campaign = campaign.id and exists (
    select
    from lead
    where lead.id_space = $6 and lead.id = lead_campaign.id_lead and not lead.is_deleted and (true)
  )
) as leads
from campaign
left join result on result.id_campaign = campaign.id
where campaign.id_space = $7 and campaign.id = any($8::uuid[])
group by campaign.id;

-- selectSteps
select step.id, step.name, step.subject, step.body, step.delay_days, count(*) filter (where is_sent)::int as is_sent, count(*) filter (where is_delivered)::int as is_delivered, count(*) filter (where is_opened)::int as is_opened, count(*) filter (where is_clicked)::int as is_clicked, count(*) filter (where is_replied)::int as is_replied, count(*) filter (where is_bounced)::int as is_bounced, count(*) filter (where is_unsubscribed)::int as is_unsubscribed
from campaign_step step
left join lead_step on lead_step.id_space = $1 and lead_step.id_step = step.id and exists (
  select
  from lead
  where lead.id_space = $2 and lead.id = lead_step.id_lead and not lead.is_deleted and (true)
)
where step.id_space = $3 and step.id_campaign = $4
group by step.id_space, step.id
order by step.position, step.id;

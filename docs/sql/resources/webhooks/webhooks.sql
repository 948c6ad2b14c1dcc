-- countWebhooks
select count(*) as count
from webhook
where id_space = $1;

-- deleteWebhook
delete from webhook
where id_space = $1 and id = $2;

-- insertAttempt
insert into webhook_attempt ("id_space", "id_webhook", "id", "seq", "type", "at", "took_ms", "status", "error", "answer")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- insertWebhook
insert into webhook ("id_space", "types", "include", "expires_at", "name", "url", "id", "secret", "id_member", "filter", "state", "seq", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12, $13, $14);

-- insertWebhook
select seq
from event_head
where id_space = $1;

-- lockWebhook
select "id", "name", "url", "types", "filter", "include", "secret", "old_secret", "old_secret_until", "state", "reason", "expires_at", "seq", "replay_seq", "replay_until", "failures", "set_aside", "failing_since", "revision", "id_member", "created_at", "updated_at"
from webhook
where id_space = $1 and id = $2
for update;

-- selectAttempts
select id, seq, type, at, took_ms, status, error, answer
from webhook_attempt
where id_space = $1 and id_webhook = $2
order by id desc
limit $3;

-- selectWebhook
select "id", "name", "url", "types", "filter", "include", "secret", "old_secret", "old_secret_until", "state", "reason", "expires_at", "seq", "replay_seq", "replay_until", "failures", "set_aside", "failing_since", "revision", "id_member", "created_at", "updated_at"
from webhook
where id_space = $1 and id = $2;

-- selectWebhooks
select "id", "name", "url", "types", "filter", "include", "secret", "old_secret", "old_secret_until", "state", "reason", "expires_at", "seq", "replay_seq", "replay_until", "failures", "set_aside", "failing_since", "revision", "id_member", "created_at", "updated_at", coalesce(retry.retrying, 0) as retrying, retry.next_at, retry.oldest_next_at, (
  select seq
  from event_head
  where id_space = $1
) as head
from webhook
left join (
  select id_webhook, count(*) as retrying, min(next_at) as next_at, (array_agg(next_at order by seq))[1] as oldest_next_at
  from webhook_retry
  where id_space = $2
  group by id_webhook
) retry on retry.id_webhook = webhook.id
where webhook.id_space = $3
order by id;

-- selectWebhooks
select "id", "name", "url", "types", "filter", "include", "secret", "old_secret", "old_secret_until", "state", "reason", "expires_at", "seq", "replay_seq", "replay_until", "failures", "set_aside", "failing_since", "revision", "id_member", "created_at", "updated_at", coalesce(retry.retrying, 0) as retrying, retry.next_at, retry.oldest_next_at, (
  select seq
  from event_head
  where id_space = $1
) as head
from webhook
left join (
  select id_webhook, count(*) as retrying, min(next_at) as next_at, (array_agg(next_at order by seq))[1] as oldest_next_at
  from webhook_retry
  where id_space = $2
  group by id_webhook
) retry on retry.id_webhook = webhook.id
where webhook.id_space = $3 and id = $4
order by id;

-- updateWebhook
update webhook
set "replay_seq" = $1, "replay_until" = $2, "updated_at" = $3, revision = revision + 1
where id_space = $4 and id = $5;

-- updateWebhook
update webhook
set "secret" = $1, "old_secret_until" = $2, "old_secret" = $3, "updated_at" = $4, revision = revision + 1
where id_space = $5 and id = $6;

-- updateWebhook
update webhook
set "types" = $1, "updated_at" = $2, revision = revision + 1
where id_space = $3 and id = $4;

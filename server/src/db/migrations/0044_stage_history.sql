-- How long leads were in each stage: since when they are in the one that they have, and the stays that are over.
-- Null: nobody knows when it began.
alter table lead_status add column entered_at timestamptz(3);

create table lead_stage (
  id_space   uuid not null,
  id_lead    uuid not null,
  id_status  uuid not null,
  entered_at timestamptz(3),
  left_at    timestamptz(3) not null,
  constraint lead_stage_pkey primary key (id_space, id_lead, id_status, left_at),
  constraint lead_stage_lead_fkey foreign key (id_space, id_lead)
    references lead (id_space, id) on delete cascade,
  constraint lead_stage_status_fkey foreign key (id_space, id_status)
    references status (id_space, id) on delete cascade
);
create index lead_stage_left_idx on lead_stage (id_space, id_status, left_at)
  include (id_lead, entered_at);

-- What the change feed knows of earlier changes: [statuses removed, statuses added].
insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
select stay.id_space, stay.id_lead, stay.id_status, case when stay.was_entry then stay.at_before end, stay.at
from (
  select id_space, id_lead, id_status, at, is_entry,
    lag(at) over stays as at_before, lag(is_entry) over stays as was_entry
  from (
    select id_space, unnest(ids) as id_lead, entry.value::uuid as id_status, at, seq, side.is_entry
    from event
    cross join lateral (values (0, false), (1, true)) as side (place, is_entry)
    cross join lateral jsonb_array_elements_text(
      case when jsonb_typeof(changed -> 'status' -> side.place) = 'array'
        then changed -> 'status' -> side.place end) as entry (value)
    where type in ('lead.created', 'lead.updated') and changed ? 'status') step
  window stays as (partition by id_space, id_lead, id_status order by seq, is_entry)) stay
join lead on lead.id_space = stay.id_space and lead.id = stay.id_lead
join status on status.id_space = stay.id_space and status.id = stay.id_status
where not stay.is_entry
on conflict do nothing;

update lead_status set entered_at = known.at
from (
  select id_space, id_lead, id_status, max(at) as at
  from (
    select id_space, unnest(ids) as id_lead, entry.value::uuid as id_status, at
    from event
    cross join lateral jsonb_array_elements_text(
      case when jsonb_typeof(changed -> 'status' -> 1) = 'array' then changed -> 'status' -> 1 end)
      as entry (value)
    where type in ('lead.created', 'lead.updated') and changed ? 'status') step
  group by id_space, id_lead, id_status) known
where lead_status.id_space = known.id_space and lead_status.id_lead = known.id_lead
  and lead_status.id_status = known.id_status;

-- Imported leads have the status that they came with.
update lead_status set entered_at = known.at
from (
  select id_space, unnest(ids) as id_lead, at from event where type = 'lead.created') known
where lead_status.id_space = known.id_space and lead_status.id_lead = known.id_lead
  and lead_status.entered_at is null;

-- Reports read it from the index.
drop index lead_status_status_idx;
create unique index lead_status_status_idx on lead_status (id_space, id_status, id_lead)
  include (entered_at);

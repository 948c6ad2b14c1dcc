-- The place of a lead within its status, for boards. Leads of a status are ordered by it, byte by byte.
-- A place ends with the id of its lead, so two leads never have the same one, and there is room between
-- any two. leads.place.ts says how places are made; a lead without a place of its own comes by its age.
-- The default is only for rows that are written past the service.
alter table lead_status add column place bytea not null default '\x4000000000000000';

-- The order that mode pipeline has shown so far: leads_order, then the newest first.
update lead_status set place = placed.place
from (
  select lead_status.id_space, lead_status.id_lead, lead_status.id_group,
    int8send(case when arranged.position is null
      then 4611686018427387904 - (extract(epoch from lead.created_at) * 1000)::bigint
      else 2305843009213693952 + arranged.position end) || uuid_send(lead.id) as place
  from lead_status
  join lead on lead.id_space = lead_status.id_space and lead.id = lead_status.id_lead
  left join (
    select status.id_space, status.id, entry.value as id_lead, min(entry.position) as position
    from status, jsonb_array_elements_text(
      case when jsonb_typeof(status.leads_order) = 'array' then status.leads_order end
    ) with ordinality as entry (value, position)
    group by status.id_space, status.id, entry.value
  ) arranged on arranged.id_space = lead_status.id_space and arranged.id = lead_status.id_status
    and arranged.id_lead = lead_status.id_lead::text
) placed
where lead_status.id_space = placed.id_space and lead_status.id_lead = placed.id_lead
  and lead_status.id_group = placed.id_group;

create index lead_status_place_idx on lead_status (id_space, id_status, place, id_lead);

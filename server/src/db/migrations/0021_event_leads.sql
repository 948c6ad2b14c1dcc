-- The history of a lead. Nearly every event is about one lead, and an index on one value costs a writer a
-- fifth of an index on the values of an array. That one is left for the events about several.
drop index event_lead_idx;
create index event_one_lead_idx on event (id_space, ((coalesce(leads, ids))[1]), seq)
  where cardinality(coalesce(leads, ids)) = 1;
create index event_leads_idx on event using gin (id_space, (coalesce(leads, ids)))
  where cardinality(coalesce(leads, ids)) > 1;

-- A lead has a status once: a status is of one list, and a lead has one status of each list. PostgreSQL
-- must know it: otherwise a filter by status first makes the leads of the status distinct, which was half the
-- time of a filter that combines it with others.

drop index lead_status_status_idx;
create unique index lead_status_status_idx on lead_status (id_space, id_status, id_lead);

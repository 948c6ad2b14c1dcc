-- The lead comes first: an index that starts with the workspace also suits a query for a kind and a key. A plan made
-- while the table was small then read all keys of the workspace for each new lead, until autovacuum looked.
drop index lead_key_lead_idx;
create index lead_key_lead_idx on lead_key (id_lead, id_space);

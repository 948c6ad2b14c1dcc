-- The step of the operation that an event belongs to. A step with very many different values writes events
-- without them; while the values before are kept, the history of a lead finds its own there.
alter table event_new add column step integer;
alter table event add column step integer;

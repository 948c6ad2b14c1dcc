-- What a key is narrowed to, where it can be used from, and where it was used last. Null: no limit.
alter table api_key add column scopes text[];
alter table api_key add column allowed_from text[];
alter table api_key add column last_used_from text;

-- A key that was made for an agent.
alter table api_key drop constraint api_key_kind_check;
alter table api_key add constraint api_key_kind_check check (kind in ('key', 'agent', 'session'));

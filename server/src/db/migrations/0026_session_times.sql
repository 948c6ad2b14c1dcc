-- When the person behind a session signed in, and when they last proved who they are. Sessions end a fixed
-- time after the first; what a person alone may do needs the second to be recent. Both are null for keys.
alter table api_key add column signed_in_at timestamptz(3);
alter table api_key add column confirmed_at timestamptz(3);
update api_key set signed_in_at = created_at where kind = 'session';

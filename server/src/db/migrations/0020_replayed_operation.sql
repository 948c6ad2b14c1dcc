-- The operation that a repeated request names again, in the same header as the first time.
alter table idempotency add column id_operation uuid;

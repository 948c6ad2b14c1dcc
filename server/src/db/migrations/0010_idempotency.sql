-- Answers of requests that came with an Idempotency-Key, kept for a day, so that a repeated request gets
-- the answer of the first one instead of doing the work again.
create table idempotency (
  id_space    uuid not null,
  -- The API key that sent the request. Two API keys may use the same idempotency key.
  id_key      uuid not null,
  key         text not null,
  -- Hash of method, path and body: the same key with another request is refused.
  fingerprint text not null,
  -- The body of the answer. Null when it was too large to keep.
  answer      text,
  created_at  timestamptz(3) not null,
  constraint idempotency_pkey primary key (id_space, id_key, key),
  constraint idempotency_space_fkey foreign key (id_space)
    references space (id_space) on delete cascade
);
create index idempotency_age_idx on idempotency (id_space, created_at);

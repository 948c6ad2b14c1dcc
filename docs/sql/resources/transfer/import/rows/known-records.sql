-- Catalog.saveMade
insert into event_new (id_space, "id", "part", "type", "at", "id_member", "id_key", "way", "request_id", "id_operation", "step", "undo_of", "ids", "leads", "changed")
values ($1::uuid, $2::uuid, $3::int, $4::text, $5::timestamptz, $6::uuid, $7::uuid, $8::text, $9::text, $10::uuid, $11::int, $12::uuid, $13::uuid[], $14::uuid[], $15::text::jsonb);

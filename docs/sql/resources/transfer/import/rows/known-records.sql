-- Catalog.saveMade
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'list.created', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], $13::text::jsonb);

-- Catalog.saveMade
insert into event_new (id_space, id, part, type, at, id_member, id_key, way, request_id, id_operation, step, undo_of, ids, leads, changed)
values ($1::uuid, $2::uuid, 1, 'tag.created', $3::timestamptz, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, $9::int, $10::uuid, $11::uuid[], $12::uuid[], $13::text::jsonb);

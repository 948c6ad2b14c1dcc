-- The event that an operation stands for: a change of one lead that was undone by itself.
alter table operation add column event_seq bigint;
create index operation_event_idx on operation (id_space, event_seq) where event_seq is not null;

-- Erasing a lead looks into the events of views.
create index event_view_idx on event (id_space, seq) where type like 'view.%';

-- Events of views that became shared told what they were while they were private. What such a view is now
-- can be read from the view itself.
update event set changed = null
where type = 'view.updated' and changed @> '{"shared": [false, true]}';
update event_new set changed = null
where type = 'view.updated' and changed @> '{"shared": [false, true]}';

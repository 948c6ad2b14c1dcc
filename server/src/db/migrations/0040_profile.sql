-- What members say about themselves. The picture is base64; its id is new with each picture.
alter table member add column time_zone text;
alter table member add column picture uuid;
alter table member add column picture_content text;

-- download
insert into audit ("id_space", "id", "at", "id_member", "id_key", "way", "request_id", "action", "about")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

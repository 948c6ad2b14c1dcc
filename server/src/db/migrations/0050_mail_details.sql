-- Whether mails to the member name records and have their texts.
alter table notification_setting add column details boolean not null default false;

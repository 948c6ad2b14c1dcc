-- Nobody has set the time zone and the currency of a new workspace: the first admin's browser does.
alter table space add column currency text not null default '';
alter table space add column is_new boolean not null default false;

-- auto_status: a lead that joins the list gets its first status.
alter table list add column color text not null default '';
alter table list add column auto_status boolean not null default false;

-- hasRoom
select coalesce(sum(octet_length(list::text)), 0)::bigint as bytes
from list
where id_space = $1 and not is_deleted;

-- hasRoom
select coalesce(sum(octet_length(tag::text)), 0)::bigint as bytes
from tag
where id_space = $1;

-- requireRoom
select coalesce(sum(octet_length(attribute::text)), 0)::bigint as bytes
from attribute
where id_space = $1;

-- requireRoom
select coalesce(sum(octet_length(attribute_option::text)), 0)::bigint as bytes
from attribute_option
where id_space = $1;

-- requireRoom
select coalesce(sum(octet_length(saved_view::text)), 0)::bigint as bytes
from saved_view
where id_space = $1;

-- requireRoom
select coalesce(sum(octet_length(status::text)), 0)::bigint as bytes
from status
where id_space = $1;

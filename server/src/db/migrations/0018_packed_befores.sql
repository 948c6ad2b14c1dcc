-- Leads with values that hardly any other lead shares: many of them in one row, where old and new are
-- arrays with one value for each id. A row of its own for each of them would cost more than the change.
alter table operation_before add column is_packed boolean not null default false;

-- What readers of the values see: leads with equal values, whichever way they are kept.
create view operation_value as
  select id_space, id_operation, step, what, old, new, ids
  from operation_before where not is_packed
  union all
  select kept.id_space, kept.id_operation, kept.step, kept.what, each.old, each.new, array[each.id]
  from operation_before kept,
    rows from (unnest(kept.ids), jsonb_array_elements(kept.old), jsonb_array_elements(kept.new))
      as each (id, old, new)
  where kept.is_packed;

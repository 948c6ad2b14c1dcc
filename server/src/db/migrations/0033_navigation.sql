-- A member's favorites among the views.
create table view_favorite (
  id_space  uuid not null,
  id_view   uuid not null,
  id_member uuid not null,
  constraint view_favorite_pkey primary key (id_space, id_view, id_member),
  constraint view_favorite_view_fkey foreign key (id_space, id_view)
    references saved_view (id_space, id) on delete cascade,
  constraint view_favorite_member_fkey foreign key (id_space, id_member)
    references member (id_space, id) on delete cascade
);
-- For members who leave.
create index view_favorite_member_idx on view_favorite (id_space, id_member);

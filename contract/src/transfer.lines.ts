// What a line of an NDJSON export has besides the fields and relations of a lead.
import { type Static, Type } from 'typebox'
import { AttributeInput, SelectOption, Slug } from './attributes.ts'
import { ListInput } from './lists.ts'
import { NoteKind, noteDetails } from './notes.ts'
import { AllOptional, DateTime, Id, Name, Nullable } from './shapes.ts'
import { StatusInput } from './status.ts'
import { TagInput } from './tags.ts'

const { id_list: _, ...stage } = StatusInput.properties

/** In the first line: what the leads need elsewhere, as the bodies that create it. */
export const Definitions = Type.Object({
  attributes: Type.Array(
    Type.Object({
      ...AttributeInput.properties,
      slug: Slug,
      select_options: Type.Array(SelectOption),
    }),
  ),
  lists: Type.Array(ListInput),
  status: Type.Array(Type.Object({ ...stage, list: Nullable(Name) })),
  tags: Type.Array(TagInput),
})
export type Definitions = Static<typeof Definitions>

const When = Nullable(DateTime)

export const NoteLine = Type.Object({
  // Not blank, unless it is a call or a meeting.
  content: Type.String(),
  ...AllOptional(
    Type.Object({
      id: Id,
      kind: NoteKind,
      ...noteDetails,
      created_at: DateTime,
      is_pinned_at: When,
      thread_id: Nullable(Type.String({ maxLength: 255 })),
      id_parent: Nullable(Id),
    }),
  ).properties,
})
export type NoteLine = Static<typeof NoteLine>

export const ReminderLine = Type.Object({
  name: Name,
  date: DateTime,
  ...AllOptional(
    Type.Object({
      id: Id,
      cron: Type.String({ maxLength: 200 }),
      ressource_link: Type.String(),
      is_done: Type.Boolean(),
      fired_at: When,
      users: Type.Array(Type.String({ description: 'Email addresses of members' }), {
        maxItems: 1000,
      }),
    }),
  ).properties,
})
export type ReminderLine = Static<typeof ReminderLine>

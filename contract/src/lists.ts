import { Type } from 'typebox'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Id,
  Limited,
  Message,
  maxRefs,
  Name,
  Nullable,
  Shape,
} from './shapes.ts'

export const List = Shape('List', {
  id: Id,
  name: Type.String(),
  emoji: Type.String(),
  description: Type.String(),
  schema: Type.String(),
  id_space: Type.String(),
  order: Type.Number(),
  created_at: DateTime,
  updated_at: DateTime,
  deleted_at: Nullable(DateTime),
  can_be_delete: Type.Boolean(),
  is_deleted: Type.Boolean(),
  favorite: Type.Boolean(),
  attribute_definitions_order: Type.Array(Type.String()),
})

const settings = {
  color: Type.String({ description: 'Of its sign in the navigation, for example #6366f1' }),
  auto_status: Type.Boolean({
    description:
      'A lead that joins the list gets its first status, unless the request sets another',
  }),
}

/** What the interface says of a list, and what Rapport adds. */
export const ListDetails = Shape('ListDetails', { ...List.properties, ...settings })

export const ListInput = Shape('ListInput', {
  name: Name,
  emoji: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  ...AllOptional(Type.Object(settings)).properties,
})

const ListChange = AllOptional(
  Shape('ListChange', {
    name: Name,
    emoji: Type.String(),
    description: Type.String(),
    order: Type.Number(),
    favorite: Type.Boolean(),
    ...settings,
    attribute_definitions_order: Limited(Type.String(), maxRefs),
  }),
)

const examples = { list: '01920000-0000-7000-8000-000000000001' }

export const lists = {
  name: 'Lists',
  description: 'Groups of leads. A lead can be in any number of lists.',
  examples,
  routes: {
    create: route('POST /lists', {
      operationId: 'createList',
      role: 'write',
      common: true,
      summary: 'Create a list',
      description:
        'The new list is empty and comes after the others. With auto_status, a lead that joins it gets its first status.',
      body: ListInput,
      reply: List,
      example: {
        body: { name: 'Trade fair', emoji: '🎪', description: 'Met at our booth in spring' },
      },
    }),
    list: route('GET /lists', {
      operationId: 'listLists',
      role: 'read',
      summary: 'List lists',
      description:
        'Returns all lists in order. Use their ids in leads, statuses, tags and filters.',
      reply: Type.Array(ListDetails, { title: 'Lists' }),
    }),
    counts: route('GET /lists/counts', {
      operationId: 'getListCounts',
      role: 'read',
      summary: 'Count the leads of lists',
      description: 'Returns how many leads each list has. A lead in several lists counts in each.',
      reply: Type.Array(Shape('ListCount', { id: Id, leads: Type.Integer() }), {
        title: 'ListCounts',
      }),
    }),
    update: route('PATCH /lists/{id}', {
      operationId: 'updateList',
      role: 'write',
      summary: 'Change a list',
      description: 'Changes only the fields you send.',
      body: ListChange,
      reply: ListDetails,
      example: { id: examples.list, body: { name: 'Trade fair 2026', favorite: true } },
    }),
    remove: route('DELETE /lists/{id}', {
      operationId: 'deleteList',
      role: 'write',
      bulk: true,
      summary: 'Delete a list',
      description:
        'Marks the list as deleted, along with its statuses. Its leads stay in the workspace.',
      reply: Message,
      example: { id: examples.list },
    }),
  },
}

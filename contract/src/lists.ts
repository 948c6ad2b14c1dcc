import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Id, Name, Nullable } from './shapes.ts'

export const List = Type.Object(
  {
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
  },
  { title: 'List' },
)

export const lists = {
  name: 'Lists',
  routes: {
    create: route({
      method: 'POST',
      path: '/lists',
      role: 'write',
      summary: 'Create a list',
      body: Type.Object({
        name: Name,
        emoji: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
      }),
      reply: List,
      example: {
        body: { name: 'Trade fair', emoji: '🎪', description: 'Met at the stand in spring' },
      },
    }),
    list: route({
      method: 'GET',
      path: '/lists',
      role: 'read',
      summary: 'All lists, in their order',
      extension: true,
      reply: Type.Array(List),
      example: {},
    }),
    update: route({
      method: 'PATCH',
      path: '/lists/{id}',
      role: 'write',
      summary: 'Change a list',
      description: 'Only the fields that are sent change.',
      extension: true,
      body: AllOptional(
        Type.Object({
          name: Name,
          emoji: Type.String(),
          description: Type.String(),
          order: Type.Number(),
          favorite: Type.Boolean(),
          attribute_definitions_order: Type.Array(Type.String()),
        }),
      ),
      reply: List,
      example: { id: exampleIds.list, body: { name: 'Trade fair 2026', favorite: true } },
    }),
    remove: route({
      method: 'DELETE',
      path: '/lists/{id}',
      role: 'write',
      bulk: true,
      summary: 'Delete a list',
      description:
        'The list is marked as deleted. Its leads stay in the workspace and leave the list; its statuses go with it.',
      extension: true,
      reply: Type.String(),
      example: { id: exampleIds.list },
    }),
  },
}

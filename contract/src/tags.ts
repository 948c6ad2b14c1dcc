import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { route } from './route.ts'
import { AllOptional, Anything, DateTime, Id, Name, Nullable, Ref } from './shapes.ts'

const listed = {
  id: Id,
  name: Type.String(),
  order: Type.Number(),
  show: Type.Boolean(),
  created_at: DateTime,
  updated_at: DateTime,
  color: Type.String(),
  icon: Type.String(),
  id_list: Type.String(),
  id_space: Type.String(),
}

export const ListedTag = Type.Object(listed, { title: 'ListedTag' })

export const Tag = Type.Object(
  {
    ...listed,
    ai_enabled: Type.Boolean(),
    ai_instructions: Anything,
    ai_instructions_text: Type.String(),
    ai_rules: Anything,
    ai_rules_text: Type.String(),
  },
  { title: 'Tag' },
)

export const tags = {
  name: 'Tags',
  routes: {
    create: route({
      method: 'POST',
      path: '/tags',
      role: 'write',
      summary: 'Create a tag',
      body: Type.Object({ name: Name, color: Type.Optional(Type.String()) }),
      reply: Tag,
      example: { body: { name: 'Warm', color: '#f59e0b' } },
    }),
    list: route({
      method: 'GET',
      path: '/tags',
      role: 'read',
      summary: 'All tags, in their order',
      reply: Type.Array(ListedTag),
      example: {},
    }),
    update: route({
      method: 'PATCH',
      path: '/tags/{id}',
      role: 'write',
      summary: 'Change a tag',
      description:
        'Only the fields that are sent change. id_list binds the tag to a list; "" or null frees it.',
      extension: true,
      body: AllOptional(
        Type.Object({
          name: Name,
          color: Type.String(),
          icon: Type.String(),
          order: Type.Number(),
          show: Type.Boolean(),
          id_list: Nullable(Ref),
        }),
      ),
      reply: Tag,
      example: { id: exampleIds.tag, body: { name: 'Hot', color: '#dc2626' } },
    }),
    remove: route({
      method: 'DELETE',
      path: '/tags/{id}',
      role: 'write',
      bulk: true,
      summary: 'Delete a tag',
      description: 'The tag is gone for good, from every lead too.',
      extension: true,
      reply: Type.String(),
      example: { id: exampleIds.tag },
    }),
  },
}

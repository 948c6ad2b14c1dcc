import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { route } from './route.ts'
import {
  AllOptional,
  Anything,
  DateTime,
  Id,
  Message,
  Name,
  Nullable,
  Ref,
  Shape,
} from './shapes.ts'

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

export const ListedTag = Shape('ListedTag', listed)

export const Tag = Shape('Tag', {
  ...listed,
  ai_enabled: Type.Boolean(),
  ai_instructions: Anything,
  ai_instructions_text: Type.String(),
  ai_rules: Anything,
  ai_rules_text: Type.String(),
})

const TagInput = Shape('TagInput', { name: Name, color: Type.Optional(Type.String()) })

const TagChange = AllOptional(
  Shape('TagChange', {
    name: Name,
    color: Type.String(),
    icon: Type.String(),
    order: Type.Number(),
    show: Type.Boolean(),
    id_list: Nullable(Ref),
  }),
)

export const tags = {
  name: 'Tags',
  description: 'Labels of leads. A lead can have any number of them.',
  routes: {
    create: route({
      operationId: 'createTag',
      method: 'POST',
      path: '/tags',
      role: 'write',
      summary: 'Create a tag',
      description: 'The tag is placed behind the others. Several tags may have the same name.',
      body: TagInput,
      reply: Tag,
      example: { body: { name: 'Warm', color: '#f59e0b' } },
    }),
    list: route({
      operationId: 'listTags',
      method: 'GET',
      path: '/tags',
      role: 'read',
      summary: 'List tags',
      description: 'All tags, in their order. Use the ids for leads and in filters.',
      reply: Type.Array(ListedTag, { title: 'Tags' }),
      example: {},
    }),
    update: route({
      operationId: 'updateTag',
      method: 'PATCH',
      path: '/tags/{id}',
      role: 'write',
      summary: 'Change a tag',
      description:
        'Only the fields that are sent change. id_list binds the tag to a list; "" or null frees it.',
      extension: true,
      body: TagChange,
      reply: Tag,
      example: { id: exampleIds.tag, body: { name: 'Hot', color: '#dc2626' } },
    }),
    remove: route({
      operationId: 'deleteTag',
      method: 'DELETE',
      path: '/tags/{id}',
      role: 'write',
      bulk: true,
      summary: 'Delete a tag',
      description: 'The tag is gone for good, from every lead too.',
      extension: true,
      reply: Message,
      example: { id: exampleIds.tag },
    }),
  },
}

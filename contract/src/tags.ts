import { Type } from 'typebox'
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

export const TagInput = Shape('TagInput', { name: Name, color: Type.Optional(Type.String()) })

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

const examples = { tag: '01920000-0000-7000-8000-000000000005' }

export const tags = {
  name: 'Tags',
  description: 'Labels for leads. A lead can have any number of tags.',
  examples,
  routes: {
    create: route('POST /tags', {
      operationId: 'createTag',
      role: 'write',
      common: true,
      summary: 'Create a tag',
      description: 'The new tag comes after the others. Several tags may have the same name.',
      body: TagInput,
      reply: Tag,
      example: { body: { name: 'Warm', color: '#f59e0b' } },
    }),
    list: route('GET /tags', {
      operationId: 'listTags',
      role: 'read',
      common: true,
      summary: 'List tags',
      description: 'Returns all tags in order. Use their ids in leads and filters.',
      reply: Type.Array(ListedTag, { title: 'Tags' }),
    }),
    update: route('PATCH /tags/{id}', {
      operationId: 'updateTag',
      role: 'write',
      summary: 'Change a tag',
      description:
        'Changes only the fields you send. id_list ties the tag to a list; "" or null unties it.',
      body: TagChange,
      reply: Tag,
      example: { id: examples.tag, body: { name: 'Hot', color: '#dc2626' } },
    }),
    remove: route('DELETE /tags/{id}', {
      operationId: 'deleteTag',
      role: 'write',
      bulk: true,
      summary: 'Delete a tag',
      description: 'Permanently deletes the tag and removes it from every lead.',
      reply: Message,
      example: { id: examples.tag },
    }),
  },
}

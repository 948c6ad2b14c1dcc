import { type Static, Type } from 'typebox'
import { attributeTypes } from './attributes.values.ts'
import { currencies } from './money.values.ts'
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
  OneOf,
  Ref,
  Shape,
} from './shapes.ts'

export { type AttributeType, attributeTypes } from './attributes.values.ts'

const AttributeTypeName = OneOf(attributeTypes, { title: 'AttributeType' })

/** Responses have "" if none is set, so requests accept "" too. */
const Currency = OneOf([...currencies, ''])

/** Bounded because it is indexed. */
export const Slug = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 })

const definition = {
  type: AttributeTypeName,
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  created_at: DateTime,
  updated_at: DateTime,
  id_space: Type.String(),
  object_definitionsId: Type.String(),
  isMultiSelect: Type.Boolean(),
  isSystem: Type.Boolean(),
  attribute_definitions_select_options_order: Type.Array(Type.String()),
}

export const Attribute = Shape('Attribute', definition)

export const SelectOption = Shape('SelectOption', {
  id: Id,
  name: Type.String(),
  color: Type.String(),
})
export type SelectOption = Static<typeof SelectOption>

export const ListedAttribute = Shape('ListedAttribute', {
  ...definition,
  currency: Type.String(),
  select_options: Type.Array(SelectOption),
})

export const AttributeInput = Shape('AttributeInput', {
  type: AttributeTypeName,
  name: Name,
  slug: Type.Optional(Slug),
  description: Type.Optional(Type.String()),
  isMultiSelect: Type.Optional(Type.Boolean()),
  currency: Type.Optional(Currency),
  select_options: Type.Optional(
    Limited(
      Shape('SelectOptionInput', { name: Name, color: Type.Optional(Type.String()) }),
      maxRefs,
    ),
  ),
})

const AttributeChange = AllOptional(
  Shape('AttributeChange', {
    name: Name,
    slug: Slug,
    description: Type.String(),
    currency: Currency,
    select_options: Limited(
      AllOptional(
        Shape('SelectOptionChange', { name: Name, id: Nullable(Ref), color: Type.String() }),
      ),
      maxRefs,
    ),
  }),
)

const examples = { attribute: '01920000-0000-7000-8000-000000000006' }

export const attributes = {
  name: 'Attributes',
  description: 'Custom fields for the leads of a workspace. Each has a type.',
  examples,
  routes: {
    list: route('GET /attributes', {
      operationId: 'listAttributes',
      role: 'read',
      summary: 'List custom attributes',
      description:
        'Returns all attributes with their options, oldest first. Leads and filters refer to attributes and options by id.',
      reply: Type.Array(ListedAttribute, { title: 'Attributes' }),
    }),
    create: route('POST /attributes', {
      operationId: 'createAttribute',
      role: 'write',
      summary: 'Create a custom attribute',
      description:
        'If you send no slug, it is derived from the name. isMultiSelect and select_options apply only to SELECT, currency only to CURRENCY.',
      body: AttributeInput,
      reply: ListedAttribute,
      example: {
        body: {
          type: 'SELECT',
          name: 'Industry',
          isMultiSelect: true,
          select_options: [{ name: 'Retail', color: '#f59e0b' }, { name: 'Health' }],
        },
      },
    }),
    update: route('PATCH /attributes/{id}', {
      operationId: 'updateAttribute',
      role: 'write',
      common: true,
      scopes: ['write'],
      bulk: true,
      summary: 'Change a custom attribute',
      description:
        'Changes only the fields you send. select_options replaces the options of a SELECT attribute and sets their order. An entry with an id keeps that option, including its name or color if you omit them. An entry without an id, or with "", is a new option. An option you leave out is deleted, including from every lead.',
      body: AttributeChange,
      reply: Attribute,
      example: {
        id: examples.attribute,
        body: { description: 'What the company sells' },
      },
    }),
    remove: route('DELETE /attributes/{id}', {
      operationId: 'deleteAttribute',
      role: 'write',
      bulk: true,
      summary: 'Delete a custom attribute',
      description: 'Permanently deletes the attribute and its values in every lead.',
      reply: Message,
      example: { id: examples.attribute },
    }),
  },
}

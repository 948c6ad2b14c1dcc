import { type Static, Type } from 'typebox'
import { attributeTypes, currencies } from './attributes.values.ts'
import { exampleIds } from './examples.ts'
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

export { type AttributeType, attributeTypes, currencies } from './attributes.values.ts'

const AttributeTypeName = OneOf(attributeTypes, { title: 'AttributeType' })

/** Answers carry "" where none is set, so "" is taken as well. */
const Currency = OneOf([...currencies, ''])

/** Bounded, because it is in an index. */
const Slug = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 })

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

const AttributeInput = Shape('AttributeInput', {
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

export const attributes = {
  name: 'Attributes',
  description: 'Fields that a workspace adds to its leads, each with a type.',
  routes: {
    list: route({
      operationId: 'listAttributes',
      method: 'GET',
      path: '/attributes',
      role: 'read',
      summary: 'List custom attributes',
      description:
        'All attributes with their options, oldest first. Leads and filters name attributes and options by their ids.',
      extension: true,
      reply: Type.Array(ListedAttribute, { title: 'Attributes' }),
      example: {},
    }),
    create: route({
      operationId: 'createAttribute',
      method: 'POST',
      path: '/attributes',
      role: 'write',
      summary: 'Create a custom attribute',
      description:
        'The slug is made from the name when none is sent. isMultiSelect and select_options are for the type SELECT only, currency for CURRENCY only.',
      extension: true,
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
    update: route({
      operationId: 'updateAttribute',
      method: 'PATCH',
      path: '/attributes/{id}',
      role: 'write',
      bulk: true,
      summary: 'Change a custom attribute',
      description:
        'Only the fields that are sent change. select_options replaces the options of a SELECT attribute and sets their order: an entry with an id keeps that option (and its name or color where none is sent), one without id, or with "", is new. An option that is left out is gone, from every lead too.',
      body: AttributeChange,
      reply: Attribute,
      example: {
        id: exampleIds.attribute,
        body: { description: 'What the company deals in' },
      },
    }),
    remove: route({
      operationId: 'deleteAttribute',
      method: 'DELETE',
      path: '/attributes/{id}',
      role: 'write',
      bulk: true,
      summary: 'Delete a custom attribute',
      description: 'The attribute is gone for good, and so are its values in every lead.',
      extension: true,
      reply: Message,
      example: { id: exampleIds.attribute },
    }),
  },
}

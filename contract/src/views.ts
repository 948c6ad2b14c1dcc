import { Type } from 'typebox'
import { LeadFilter } from './leads/filter.ts'
import { FieldOrder } from './leads/shapes.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Id, Message, Name, Nullable, OneOf, Ref, Shape } from './shapes.ts'

export const viewModes = ['grid', 'board'] as const

const Column = Shape('ViewColumn', {
  field: Type.String({
    description:
      'A field of a lead, one of its relations (lists, status, tags, owners), the id of an attribute, or "name" for the full name',
  }),
  width: Type.Optional(Type.Integer({ minimum: 20, maximum: 2000, description: 'In pixels' })),
  pinned: Type.Optional(Type.Boolean({ description: 'Stays visible while the others scroll' })),
})

/** What a caller decides about a view, as it is stored. */
const chosen = {
  filter: LeadFilter,
  orderBy: Type.Array(FieldOrder, { maxItems: 20 }),
  columns: Type.Array(Column, { maxItems: 200 }),
  mode: OneOf(viewModes),
  shared: Type.Boolean({ description: 'Visible to all members, not only its owner' }),
}

export const StoredView = Shape('StoredView', {
  id: Id,
  name: Type.String(),
  ...chosen,
  id_list: Type.String({ description: 'The list of a board; "" for the whole workspace' }),
  order: Type.Number(),
  id_member: Type.String({ description: 'The owner; "" when the owner has left' }),
  id_space: Type.String(),
  created_at: DateTime,
  updated_at: DateTime,
})

const favorite = Type.Boolean({ description: 'A favorite of the member the key acts as' })

const View = Shape('View', { ...StoredView.properties, favorite })

const ViewChange = AllOptional(
  Shape('ViewChange', {
    name: Name,
    ...chosen,
    id_list: Nullable(Ref),
    order: Type.Number(),
    favorite,
  }),
)

const ViewInput = Shape('ViewInput', {
  name: Name,
  ...AllOptional(Type.Object({ ...chosen, id_list: Nullable(Ref) })).properties,
})

const examples = { view: '01920000-0000-7000-8000-00000000000c' }

export const views = {
  name: 'Views',
  description:
    'Saved ways to look at leads: a filter, a sort order and columns, as a grid or a board. Only its owner sees a private view.',
  examples,
  routes: {
    create: route('POST /views', {
      operationId: 'createView',
      role: 'write',
      summary: 'Save a view',
      description:
        'The member the key acts as becomes its owner. The view comes after the others. The filter, order, columns and list are checked now, but what they refer to may be deleted later.',
      body: ViewInput,
      reply: View,
      example: {
        body: {
          name: 'People with an email',
          filter: { is_company: false, email_status: 'with_email' },
          orderBy: [{ field: 'created_at', type: 'desc' }],
          columns: [{ field: 'first_name', width: 160, pinned: true }, { field: 'tags' }],
          shared: true,
        },
      },
    }),
    list: route('GET /views', {
      operationId: 'listViews',
      role: 'read',
      summary: 'List views',
      description: 'Returns the shared views and those of the member the key acts as, in order.',
      reply: Type.Array(View, { title: 'Views' }),
    }),
    update: route('PATCH /views/{id}', {
      operationId: 'updateView',
      role: 'write',
      summary: 'Change a view',
      description:
        'Changes only the fields you send. Only its owner or an admin key can change a shared view. Everyone who sees a view can make it a favorite.',
      body: ViewChange,
      reply: View,
      example: { id: examples.view, body: { name: 'Contacts', shared: true } },
    }),
    remove: route('DELETE /views/{id}', {
      operationId: 'deleteView',
      role: 'write',
      summary: 'Delete a view',
      description:
        'Permanently deletes the view. Only its owner or an admin key can delete a shared view.',
      reply: Message,
      example: { id: examples.view },
    }),
  },
}

import { Type } from 'typebox'
import { exampleIds } from '../examples.ts'
import { route } from '../route.ts'
import { AllOptional, Nullable, OneOf, Ref } from '../shapes.ts'
import { LeadFilter } from './filter.ts'
import {
  FoundLead,
  Lead,
  LeadChange,
  LeadCriteria,
  LeadWithRelations,
  ListedLead,
  NewLead,
} from './shapes.ts'

const Order = Type.Object({
  field: Type.String(),
  type: Type.Optional(OneOf(['asc', 'desc'])),
})

const { lead, list, tag } = exampleIds

export const leads = {
  name: 'Leads',
  routes: {
    create: route({
      method: 'POST',
      path: '/lead',
      role: 'write',
      summary: 'Create a lead',
      description:
        'A person with a company name also creates that company, unless the workspace has it (create_company_if_not_exists). The key’s user becomes an owner (auto_assign_owner).',
      body: NewLead,
      reply: Lead,
      example: {
        body: {
          first_name: 'Ada',
          last_name: 'Byron',
          email: 'ada@analytical.example',
          company: 'Analytical Engines',
          company_role: 'Head of Research',
          lists: [list],
          tags: [tag],
          contract_value: '12000',
          contract_currency: 'GBP',
        },
      },
    }),
    list: route({
      method: 'POST',
      path: '/leads/list',
      role: 'read',
      summary: 'The leads that a filter selects, page by page or all at once',
      description:
        'Pages hold 50 leads unless page_size says otherwise (1 to 1000). next_cursor is what to send as cursor for the next page. pagination {"all": true} streams every lead.',
      body: AllOptional(
        Type.Object({
          cursor: Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
          filter: LeadFilter,
          pagination: AllOptional(
            Type.Object({
              all: Type.Boolean(),
              page: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
              page_size: Type.Integer({ minimum: 1, maximum: 1000 }),
            }),
          ),
          orderBy: Type.Array(Order),
          include: Type.Boolean({ default: true }),
          id_only: Type.Boolean(),
          mode: OneOf(['default', 'pipeline'], { default: 'default' }),
        }),
      ),
      reply: Type.Object({
        leads: Type.Array(ListedLead),
        pagination: Type.Object(
          {
            all: Type.Boolean(),
            page: Type.Integer(),
            page_size: Type.Integer(),
            next_cursor: Nullable(Type.Integer()),
          },
          { required: [] },
        ),
        total: Type.Integer(),
      }),
      example: {
        body: {
          filter: { tags: [tag], email_status: 'with_email' },
          orderBy: [{ field: 'created_at', type: 'desc' }],
          pagination: { page: 1, page_size: 20 },
        },
      },
    }),
    search: route({
      method: 'POST',
      path: '/leads/search',
      role: 'read',
      summary: 'The lead that matches best',
      description:
        'A lead matches when any criterion does; the one with the most matches wins, then the oldest.',
      body: LeadCriteria,
      reply: FoundLead,
      example: { body: { email: 'grace@navy.example' } },
    }),
    updateMany: route({
      method: 'PATCH',
      path: '/leads/update-many',
      role: 'write',
      bulk: true,
      summary: 'Change every lead that a filter selects',
      description:
        'lists, status, tags, owners and campaigns replace; *_connect adds; *_disconnect removes; in that order. attributes merge. All of it happens or none.',
      body: Type.Object({ data: LeadChange, filter: LeadFilter }),
      reply: Type.String(),
      example: {
        body: { data: { city: 'London', tags_connect: [tag] }, filter: { leads: [lead] } },
      },
    }),
    track: route({
      method: 'POST',
      path: '/leads/track-leads',
      role: 'write',
      bulk: true,
      summary: 'Track the selected leads, or stop tracking them',
      body: Type.Object({ remove_tracking: Type.Optional(Type.Boolean()), filter: LeadFilter }),
      reply: Type.String(),
      example: { body: { remove_tracking: false, filter: { lists: [list] } } },
    }),
    addToList: route({
      method: 'POST',
      path: '/leads/add-list',
      role: 'write',
      bulk: true,
      summary: 'Add the selected leads to a list',
      body: Type.Object({ id_list: Ref, filter: LeadFilter }),
      reply: Type.String(),
      example: { body: { id_list: list, filter: { tags: [tag] } } },
    }),
    moveToList: route({
      method: 'POST',
      path: '/lists/{id}/move-leads',
      role: 'write',
      bulk: true,
      summary: 'Move the selected leads into this list from another',
      description: 'Only selected leads that are in the list id_source move.',
      body: Type.Object({ id_source: Ref, filter: LeadFilter }),
      reply: Type.String(),
      example: { id: exampleIds.otherList, body: { id_source: list, filter: { leads: [lead] } } },
    }),
    removeFromList: route({
      method: 'POST',
      path: '/lists/{id}/remove-leads',
      role: 'write',
      bulk: true,
      summary: 'Take the selected leads out of this list',
      body: Type.Object({ filter: LeadFilter }),
      reply: Type.String(),
      example: { id: list, body: { filter: { leads: [lead] } } },
    }),
    get: route({
      method: 'GET',
      path: '/lead/{id}',
      role: 'read',
      summary: 'One lead with its lists, statuses, tags, owners and attributes',
      extension: true,
      reply: LeadWithRelations,
      example: { id: lead },
    }),
    update: route({
      method: 'PATCH',
      path: '/lead/{id}',
      role: 'write',
      summary: 'Change one lead',
      description: 'Takes what update-many takes as data.',
      extension: true,
      body: LeadChange,
      reply: LeadWithRelations,
      example: { id: lead, body: { city: 'London', tags_connect: [tag] } },
    }),
    remove: route({
      method: 'DELETE',
      path: '/lead/{id}',
      role: 'write',
      summary: 'Delete a lead',
      description: 'The lead is marked as deleted and not found any more.',
      extension: true,
      reply: Type.String(),
      example: { id: lead },
    }),
    removeMany: route({
      method: 'POST',
      path: '/leads/delete',
      role: 'write',
      bulk: true,
      summary: 'Delete every lead that a filter selects',
      extension: true,
      body: Type.Object({ filter: LeadFilter }),
      reply: Type.String(),
      example: { body: { filter: { leads: [lead] } } },
    }),
  },
}

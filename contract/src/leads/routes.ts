import { exampleIds } from '../examples.ts'
import { route } from '../route.ts'
import { Message } from '../shapes.ts'
import {
  FoundLead,
  Lead,
  LeadChange,
  LeadCriteria,
  LeadInput,
  LeadPage,
  LeadQuery,
  LeadSelection,
  LeadsMove,
  LeadsToList,
  LeadsTracking,
  LeadsUpdate,
  LeadWithRelations,
} from './shapes.ts'

const { lead, list, otherList } = exampleIds

/** The lead of the first example. It is found without an id, and no real one has such an address. */
const email = 'grace@navy.example'
const filter = { search: email }

export const leads = {
  name: 'Leads',
  description: 'Persons and companies: one by one, page by page, and all that a filter selects.',
  routes: {
    create: route({
      operationId: 'createLead',
      method: 'POST',
      path: '/lead',
      role: 'write',
      summary: 'Create a lead',
      description:
        'A person with a company name also creates that company, unless the workspace has it (create_company_if_not_exists). The key’s user becomes an owner (auto_assign_owner).',
      body: LeadInput,
      reply: Lead,
      example: {
        body: {
          first_name: 'Grace',
          last_name: 'Hopper',
          email,
          company: 'Navy',
          company_role: 'Head of Research',
          contract_value: '12000',
          contract_currency: 'USD',
        },
      },
    }),
    list: route({
      operationId: 'listLeads',
      method: 'POST',
      path: '/leads/list',
      role: 'read',
      summary: 'List leads',
      description:
        'Those that a filter selects, page by page or all at once. Pages hold 50 leads unless page_size says otherwise (1 to 1000). next_cursor is what to send as cursor for the next page. pagination {"all": true} streams every lead.',
      body: LeadQuery,
      reply: LeadPage,
      example: {
        body: {
          filter: { email_status: 'with_email' },
          orderBy: [{ field: 'created_at', type: 'desc' }],
          pagination: { page: 1, page_size: 20 },
        },
      },
    }),
    search: route({
      operationId: 'searchLeads',
      method: 'POST',
      path: '/leads/search',
      role: 'read',
      summary: 'Find a lead',
      description:
        'Returns the lead that matches best. A lead matches when any criterion does; the one with the most matches wins, then the oldest.',
      body: LeadCriteria,
      reply: FoundLead,
      example: { body: { email } },
    }),
    updateMany: route({
      operationId: 'updateLeads',
      method: 'PATCH',
      path: '/leads/update-many',
      role: 'write',
      bulk: true,
      summary: 'Change many leads',
      description:
        'Changes every lead that the filter selects. lists, status, tags, owners and campaigns replace; *_connect adds; *_disconnect removes; in that order. attributes merge. All of it happens or none.',
      body: LeadsUpdate,
      reply: Message,
      example: { body: { data: { city: 'London' }, filter } },
    }),
    track: route({
      operationId: 'trackLeads',
      method: 'POST',
      path: '/leads/track-leads',
      role: 'write',
      bulk: true,
      summary: 'Track leads',
      description: 'Sets is_tracked to true, or to false when remove_tracking is true.',
      body: LeadsTracking,
      reply: Message,
      example: { body: { remove_tracking: false, filter } },
    }),
    addToList: route({
      operationId: 'addLeadsToList',
      method: 'POST',
      path: '/leads/add-list',
      role: 'write',
      bulk: true,
      summary: 'Add leads to a list',
      description:
        'Adds every lead that the filter selects. Leads that are in the list already stay in it.',
      body: LeadsToList,
      reply: Message,
      example: { body: { id_list: list, filter } },
    }),
    moveToList: route({
      operationId: 'moveLeads',
      method: 'POST',
      path: '/lists/{id}/move-leads',
      role: 'write',
      bulk: true,
      summary: 'Move leads to this list',
      description:
        'They leave the list id_source. Only selected leads that are in the list id_source move.',
      body: LeadsMove,
      reply: Message,
      example: { id: otherList, body: { id_source: list, filter } },
    }),
    removeFromList: route({
      operationId: 'removeLeadsFromList',
      method: 'POST',
      path: '/lists/{id}/remove-leads',
      role: 'write',
      bulk: true,
      summary: 'Remove leads from this list',
      description: 'They stay in the workspace, and lose their status of this list.',
      body: LeadSelection,
      reply: Message,
      example: { id: list, body: { filter } },
    }),
    removeMany: route({
      operationId: 'deleteLeads',
      method: 'POST',
      path: '/leads/delete',
      role: 'write',
      bulk: true,
      summary: 'Delete many leads',
      description:
        'Deletes every lead that the filter selects. They are marked as deleted and not found any more.',
      extension: true,
      body: LeadSelection,
      reply: Message,
      example: { body: { filter } },
    }),
    get: route({
      operationId: 'getLead',
      method: 'GET',
      path: '/lead/{id}',
      role: 'read',
      summary: 'Get a lead',
      description: 'With its lists, statuses, tags, owners and attributes.',
      extension: true,
      reply: LeadWithRelations,
      example: { id: lead },
    }),
    update: route({
      operationId: 'updateLead',
      method: 'PATCH',
      path: '/lead/{id}',
      role: 'write',
      summary: 'Change a lead',
      description: 'Takes what update-many takes as data.',
      extension: true,
      body: LeadChange,
      reply: LeadWithRelations,
      example: { id: lead, body: { city: 'London' } },
    }),
    remove: route({
      operationId: 'deleteLead',
      method: 'DELETE',
      path: '/lead/{id}',
      role: 'write',
      summary: 'Delete a lead',
      description: 'The lead is marked as deleted and not found any more.',
      extension: true,
      reply: Message,
      example: { id: lead },
    }),
  },
}

import { lists } from '../lists.ts'
import { route } from '../route.ts'
import { Message, pageSizes } from '../shapes.ts'
import { LeadSelection, LeadsMove, LeadsToList, LeadsTracking, LeadsUpdate } from './bulk.ts'
import {
  DeletedLeadPage,
  DeletedLeadQuery,
  FoundLead,
  Lead,
  LeadChange,
  LeadCriteria,
  LeadInput,
  LeadPage,
  LeadQuery,
  OneLead,
} from './shapes.ts'
import { HistoryQuery, LeadStats, LeadStatsQuery, NoteCounts, StageTimes } from './stats.ts'

const examples = {
  lead: '01920000-0000-7000-8000-00000000000a',
  otherLead: '01920000-0000-7000-8000-000000000010',
  otherList: '01920000-0000-7000-8000-000000000002',
}
const { lead, otherList } = examples
const { list } = lists.examples

/** The lead of the first example. It is found without an id, and no real lead has such an address. */
const email = 'grace@navy.example'
const filter = { search: email }

export const leads = {
  name: 'Leads',
  description: 'People and companies: individually, in pages, or all that a filter selects.',
  examples,
  routes: {
    create: route('POST /lead', {
      operationId: 'createLead',
      role: 'write',
      common: true,
      summary: 'Create a lead',
      description:
        'If a person names a company that the workspace does not have, the company is created too (create_company_if_not_exists). The member the key acts as becomes an owner (auto_assign_owner). If leads with the same email, phone number or LinkedIn profile exist, the header X-Duplicate-Of has their ids, separated by commas, at most five.',
      body: LeadInput,
      reply: Lead,
      example: {
        body: {
          first_name: 'Grace',
          last_name: 'Hopper',
          email,
          other_emails: [{ value: 'grace@home.example', label: 'Home' }],
          company: 'Navy',
          company_role: 'Head of Research',
          contract_value: '12000',
          contract_currency: 'USD',
        },
      },
    }),
    list: route('POST /leads/list', {
      operationId: 'listLeads',
      role: 'read',
      common: true,
      summary: 'List leads',
      description: `Returns the leads that a filter selects, in pages or all at once. A page holds ${pageSizes.otherwise} leads unless you set page_size (${pageSizes.min} to ${pageSizes.max}). Send next_cursor as cursor to get the next page. pagination {"all": true} streams every lead.`,
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
    search: route('POST /leads/search', {
      operationId: 'searchLeads',
      role: 'read',
      common: true,
      summary: 'Find a lead',
      description:
        'Returns the best match. A lead matches if any criterion does. The lead with the most matching criteria wins; if several tie, the oldest.',
      body: LeadCriteria,
      reply: FoundLead,
      example: { body: { email } },
    }),
    stats: route('POST /leads/stats', {
      operationId: 'getLeadStats',
      role: 'read',
      summary: 'Count and sum leads by group',
      description:
        "Groups the leads that a filter selects by status, list, owner, tag, the members who changed them, week or month of creation (in the workspace's time zone), month of an attribute, or lost_reason. Each group has its number of leads and the sums of their contract values, both plain and weighted by the success rate of the status: for each currency, and as one number in the currency of the workspace. Values without a currency count in that currency. A lead with several tags is in several groups but counts once in the total. Groups without leads are omitted.",
      body: LeadStatsQuery,
      reply: LeadStats,
      example: { body: { filter: { is_company: false }, group_by: 'status' } },
    }),
    stageTimes: route('POST /leads/stage-times', {
      operationId: 'getStageTimes',
      role: 'read',
      summary: 'Measure how long leads were in each status',
      description:
        'Counts the leads of a filter that left each status in a period, and measures how long they had been in it. The filter condition left selects the same leads. A lead that left a status several times counts once, but each of its stays counts for the times. For changes before the release that added this route, the times come from the change feed.',
      body: HistoryQuery,
      reply: StageTimes,
      example: { body: { after: '2026-01-01', before: '2026-04-01' } },
    }),
    noteCounts: route('POST /leads/note-counts', {
      operationId: 'getNoteCounts',
      role: 'read',
      summary: 'Count notes, calls and meetings by member and kind',
      description:
        'Counts what was written about the leads of a filter in a period. The time of a call or meeting is when it took place. The filter condition noted selects the same leads.',
      body: HistoryQuery,
      reply: NoteCounts,
      example: { body: { after: '2026-01-01', before: '2026-04-01' } },
    }),
    updateMany: route('PATCH /leads/update-many', {
      operationId: 'updateLeads',
      role: 'write',
      common: true,
      bulk: true,
      summary: 'Change many leads',
      description:
        'Changes every lead that the filter selects, all or nothing. lists, status, tags, owners and campaigns replace, then *_connect adds, then *_disconnect removes. attributes are merged.',
      body: LeadsUpdate,
      reply: Message,
      example: { body: { data: { city: 'London' }, filter } },
    }),
    track: route('POST /leads/track-leads', {
      operationId: 'trackLeads',
      role: 'write',
      common: true,
      bulk: true,
      summary: 'Track leads',
      description: 'Sets is_tracked to true, or to false when remove_tracking is true.',
      body: LeadsTracking,
      reply: Message,
      example: { body: { remove_tracking: false, filter } },
    }),
    addToList: route('POST /leads/add-list', {
      operationId: 'addLeadsToList',
      role: 'write',
      common: true,
      bulk: true,
      summary: 'Add leads to a list',
      description: 'Adds every lead that the filter selects. Leads already in the list stay in it.',
      body: LeadsToList,
      reply: Message,
      example: { body: { id_list: list, filter } },
    }),
    moveToList: route('POST /lists/{id}/move-leads', {
      operationId: 'moveLeads',
      role: 'write',
      common: true,
      bulk: true,
      summary: 'Move leads to this list',
      description:
        'Moves the selected leads that are in the list id_source out of it and into this list.',
      body: LeadsMove,
      reply: Message,
      example: { id: otherList, body: { id_source: list, filter } },
    }),
    removeFromList: route('POST /lists/{id}/remove-leads', {
      operationId: 'removeLeadsFromList',
      role: 'write',
      common: true,
      bulk: true,
      summary: 'Remove leads from this list',
      description: 'The leads stay in the workspace but lose their status in this list.',
      body: LeadSelection,
      reply: Message,
      example: { id: list, body: { filter } },
    }),
    removeMany: route('POST /leads/delete', {
      operationId: 'deleteLeads',
      role: 'write',
      scopes: ['bulk', 'delete'],
      bulk: true,
      summary: 'Delete many leads',
      description:
        'Marks every lead that the filter selects as deleted. Deleted leads are no longer found.',
      body: LeadSelection,
      reply: Message,
      example: { body: { filter } },
    }),
    listDeleted: route('POST /leads/deleted', {
      operationId: 'listDeletedLeads',
      role: 'read',
      summary: 'List deleted leads',
      description:
        'Returns the deleted leads that a filter selects and that are not yet erased, most recently deleted first. To restore them, run an operation of the kind "restore" with the same filter. Send `next` of the previous page as `after` to continue.',
      body: DeletedLeadQuery,
      reply: DeletedLeadPage,
      example: { body: { filter, page_size: 20 } },
    }),
    get: route('GET /lead/{id}', {
      operationId: 'getLead',
      role: 'read',
      summary: 'Get a lead',
      description:
        'Returns the lead with its lists, statuses, tags, owners and attributes. The ETag header identifies this version of the lead. The id of a lead that was merged into another one leads to that one, here and wherever a request names a lead.',
      reply: OneLead,
      example: { id: lead },
    }),
    update: route('PATCH /lead/{id}', {
      operationId: 'updateLead',
      role: 'write',
      summary: 'Change a lead',
      description: 'Takes the same fields as data in update-many.',
      conditional: true,
      body: LeadChange,
      reply: OneLead,
      example: { id: lead, body: { city: 'London' } },
    }),
    remove: route('DELETE /lead/{id}', {
      operationId: 'deleteLead',
      role: 'write',
      summary: 'Delete a lead',
      description: 'Marks the lead as deleted. It is no longer found.',
      reply: Message,
      example: { id: lead },
    }),
  },
}

// Leads: create, find, get, get many, update, delete.
import type { INodeProperties } from 'n8n-workflow'
import { inBody, records, shownFor } from './property'

const text = (displayName: string, name: string, placeholder = ''): INodeProperties =>
  inBody({ displayName, name, type: 'string', default: '', placeholder })

const contacts = [
  text('Email', 'email', 'name@email.com'),
  text('LinkedIn URL', 'linkedin_url'),
  text('Phone', 'phone'),
  text('Twitter Name', 'twitter_name'),
]

const fields = [
  text('City', 'city'),
  text('Company', 'company'),
  text('Company Role', 'company_role'),
  text('Contract Currency', 'contract_currency', 'EUR'),
  inBody({ displayName: 'Contract Value', name: 'contract_value', type: 'number', default: 0 }),
  text('First Name', 'first_name'),
  inBody({ displayName: 'Is Company', name: 'is_company', type: 'boolean', default: false }),
  text('Last Name', 'last_name'),
  records('List Names or IDs', 'lists', '/lists'),
  records('Owner Names or IDs', 'owners', '/members'),
  records('Status Names or IDs', 'status', '/status'),
  records('Tag Names or IDs', 'tags', '/tags'),
  text('Website URL', 'website_url'),
]

const attributes: INodeProperties = {
  displayName: 'Custom Attributes',
  name: 'attributes',
  type: 'json',
  default: '{}',
  description: 'The values by the ID of their attribute',
  routing: {
    send: {
      type: 'body',
      property: 'attributes',
      value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}',
    },
  },
}

const byName = (a: INodeProperties, b: INodeProperties) =>
  a.displayName.localeCompare(b.displayName)

export const lead: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['lead'] } },
    default: 'getAll',
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create a lead',
        routing: { request: { method: 'POST', url: '/lead' } },
      },
      {
        name: 'Delete',
        value: 'delete',
        action: 'Delete a lead',
        description: 'Move it to the trash, from which it can be restored',
        routing: { request: { method: 'DELETE', url: '=/lead/{{$parameter.id}}' } },
      },
      {
        name: 'Find',
        value: 'find',
        action: 'Find a lead',
        description: 'Find a lead by email, phone or profile',
        routing: { request: { method: 'POST', url: '/leads/search' } },
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get a lead',
        routing: { request: { method: 'GET', url: '=/lead/{{$parameter.id}}' } },
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many leads',
        routing: {
          request: { method: 'POST', url: '/leads/list' },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'leads' } }] },
        },
      },
      {
        name: 'Update',
        value: 'update',
        action: 'Update a lead',
        routing: { request: { method: 'PATCH', url: '=/lead/{{$parameter.id}}' } },
      },
    ],
  },
  {
    displayName: 'Lead ID',
    name: 'id',
    type: 'string',
    required: true,
    default: '',
    displayOptions: shownFor('lead', 'delete', 'get', 'update'),
  },
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: shownFor('lead', 'create', 'update'),
    options: [attributes, ...contacts, ...fields].sort(byName),
  },
  {
    displayName: 'By',
    name: 'by',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    description: 'Of several leads, the one that meets most of them is found',
    displayOptions: shownFor('lead', 'find'),
    options: contacts,
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: shownFor('lead', 'getAll'),
    routing: {
      send: { paginate: '={{ $value }}' },
      operations: {
        pagination: {
          type: 'generic',
          properties: {
            continue: '={{ $response.body.pagination.next_cursor !== null }}',
            // This body replaces the whole body of each request, filter included.
            request: {
              body: {
                filter: '={{ $request.body.filter }}',
                cursor: '={{ $response.body?.pagination?.next_cursor ?? null }}',
                pagination: '={{ { page_size: 500 } }}',
              },
            },
          },
        },
      },
    },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 1000 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: {
      show: { ...shownFor('lead', 'getAll').show, returnAll: [false] },
    },
    routing: { send: { type: 'body', property: 'pagination.page_size' } },
  },
  {
    displayName: 'Filter',
    name: 'filter',
    type: 'json',
    default: '{}',
    placeholder: '{"search": "berlin", "has_no_owner": true}',
    description: 'Which leads, as in POST /leads/list. {} is all of them.',
    displayOptions: shownFor('lead', 'getAll'),
    routing: {
      send: {
        type: 'body',
        property: 'filter',
        value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}',
      },
    },
  },
]

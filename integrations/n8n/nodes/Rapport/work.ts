// What people do for a lead: notes and reminders.
import type { INodeProperties } from 'n8n-workflow'
import { inBody, shownFor } from './property'

const create = (resource: string, url: string): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  default: 'create',
  options: [
    {
      name: 'Create',
      value: 'create',
      action: `Create a ${resource}`,
      routing: { request: { method: 'POST', url } },
    },
  ],
})

const field = (resource: string, property: INodeProperties): INodeProperties =>
  inBody({ ...property, displayOptions: shownFor(resource, 'create') })

const leadId = (resource: string) =>
  field(resource, {
    displayName: 'Lead ID',
    name: 'id_lead',
    type: 'string',
    required: true,
    default: '',
  })

export const note: INodeProperties[] = [
  create('note', '/notes'),
  leadId('note'),
  field('note', {
    displayName: 'Text',
    name: 'content',
    type: 'string',
    typeOptions: { rows: 4 },
    required: true,
    default: '',
  }),
]

export const reminder: INodeProperties[] = [
  create('reminder', '/reminders'),
  leadId('reminder'),
  field('reminder', {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
  }),
  field('reminder', {
    displayName: 'Date',
    name: 'date',
    type: 'dateTime',
    required: true,
    default: '',
  }),
]

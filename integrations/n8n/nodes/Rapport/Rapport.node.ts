// Leads, notes and reminders. Declarative: n8n sends the requests that the properties describe.
import {
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { lead } from './lead'
import { note, reminder } from './work'

const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  default: 'lead',
  options: [
    { name: 'Lead', value: 'lead' },
    { name: 'Note', value: 'note' },
    { name: 'Reminder', value: 'reminder' },
  ],
}

export class Rapport implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Rapport',
    name: 'rapport',
    icon: { light: 'file:rapport.svg', dark: 'file:rapport.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Work with leads, notes and reminders in Rapport',
    defaults: { name: 'Rapport' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'rapportApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}/rest',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties: [resource, ...lead, ...note, ...reminder],
  }
}

import { countLeads } from './counted.ts'

export const leads = {
  all: 'All leads',
  one: 'lead',
  many: 'leads',
  count: countLeads,
  ofAll: (shown: string, all: string) => `${shown} of ${all}`,
  unnamed: 'No name',
  company: 'Company',
  person: 'Person',
  newLead: 'Lead',
  notFound: 'This lead is not there any more.',
  notFoundHelp: 'It was deleted, or the link is from another workspace.',
} as const

import { countLeads } from './counted.ts'

export const leads = {
  all: 'All leads',
  kinds: 'People or companies',
  tabs: { all: 'All', people: 'People', companies: 'Companies' },
  one: 'lead',
  many: 'leads',
  count: countLeads,
  ofAll: (shown: string, all: string) => `${shown} of ${all}`,
  unnamed: 'No name',
  company: 'Company',
  person: 'Person',
  newLead: 'Lead',
  notFound: 'This lead no longer exists.',
  notFoundHelp: 'It may have been erased, or the link belongs to another workspace.',
} as const

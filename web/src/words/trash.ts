import { count } from './counted.ts'

export const trash = {
  kept: (days: number) =>
    `Deleted leads stay here for ${count(days, 'day', 'days')}. After that, they’re erased for good.`,
  keptForever: 'Deleted leads stay here until an admin erases them.',
  search: 'Search the trash',
  table: 'Deleted leads',
  lead: 'Lead',
  company: 'Company',
  deleted: 'Deleted',
  by: 'By',
  selectAll: 'Select all',
  select: (name: string) => `Select ${name}`,
  restore: (name: string) => `Restore ${name}`,
  restored: 'Lead restored',
  notRestored: 'Couldn’t restore the lead',
  empty: 'The trash is empty',
  emptyText: 'Leads that you delete appear here, and you can restore them.',
  noneFound: 'No deleted leads found',
  noneFoundText: 'Try other words.',
  failed: 'Couldn’t load the trash',
  more: 'Show more',
  deletedAgo: (when: string, who: string | undefined) =>
    who ? `${who} deleted this lead ${when}.` : `This lead was deleted ${when}.`,
} as const

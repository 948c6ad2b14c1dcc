import type { LeadRelation } from '@rapport/contract/leads/relations'
import { count } from './counted.ts'

const several = (one: string) => (number: number) => (number === 1 ? one : `${one}s`)

export const timeline = {
  none: 'Nothing has happened yet.',
  /** What was done to a lead. */
  lead: (did: string) => `Lead ${did}`,
  /** After the name of who did it. */
  did: {
    note: 'wrote a note',
    call: 'logged a call',
    meeting: 'logged a meeting',
    reply: 'replied',
  },
  reply: 'Reply',
  someone: 'Someone',
  service: 'Rapport',
  ways: {
    api: 'API',
    agent: 'agent',
    web: '',
    command: 'command line',
    import: 'import',
    schedule: 'schedule',
  },
  bulk: 'bulk change',
  withOthers: (number: number) => `with ${count(number, 'other', 'others')}`,
  empty: 'empty',
  changed: 'Lead changed',
  place: 'Moved within',
  undo: (what: string) => `Undo: ${what}`,
  more: 'Show older changes',
  reminder: 'Reminder',
  /** Before the names of records that a lead got, and that it lost. */
  relations: {
    tags: { added: several('Added tag'), removed: several('Removed tag') },
    lists: { added: several('Added to list'), removed: several('Removed from list') },
    owners: { added: several('Added owner'), removed: several('Removed owner') },
    campaigns: { added: several('Added to campaign'), removed: several('Removed from campaign') },
  } satisfies Record<Exclude<LeadRelation, 'status'>, object>,
} as const

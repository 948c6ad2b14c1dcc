import type { ChangeKind } from '@rapport/contract/changes.values'
import { n } from './counted.ts'

/** What people call records by another name than the change feed. */
const special: Record<string, string> = { status: 'Stage', rate: 'Exchange rate' }

export const changes = {
  periods: { today: 'Today', this_week: 'This week', all: 'All' },
  period: 'Period',
  everyone: 'Everyone',
  person: 'Person',
  anyKind: 'All changes',
  kind: 'Kind of change',
  kinds: {
    created: 'Created',
    edited: 'Edited',
    deleted: 'Deleted or restored',
    undone: 'Undone',
    notes: 'Notes',
    reminders: 'Reminders',
    settings: 'Settings',
  } satisfies Record<ChangeKind, string>,
  who: 'Who did what',
  whoHelp: 'Leads and other records that each person has changed.',
  completeSince: (time: string) => `There are very many changes. These are since ${time}.`,
  member: 'Person',
  list: 'Changes',
  /** A record of the change feed, or a kind of note. */
  record: (name: string) => special[name] ?? name.charAt(0).toUpperCase() + name.slice(1),
  many: (number: number, record: string) => `${n.format(number)} ${record.toLowerCase()}s`,
  rate: (currency: string, base: string) => `${currency} in ${base}`,
  completed: 'Reminder completed',
  undid: (change: string) => `Undid ${change}`,
  redid: (change: string) => `Redid ${change}`,
  undone: 'Undone',
  running: 'Working…',
  failed: 'Failed. No leads were changed.',
  none: 'No changes',
  noneHelp: 'Try another period, person or kind of change.',
  loadFailed: 'Couldn’t load the changes',
  more: 'Show older changes',
  undo: (what: string) => `Undo: ${what}`,
  redo: (what: string) => `Redo: ${what}`,
} as const

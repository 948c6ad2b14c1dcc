import { count } from './counted.ts'

export const timeline = {
  none: 'Nothing has happened yet.',
  created: 'Lead created',
  wrote: 'wrote a note',
  note: 'Note',
  replied: 'Reply',
  someone: 'Someone',
  service: 'Rapport',
  ways: { api: 'API', web: '', command: 'command line', import: 'import', schedule: 'schedule' },
  bulk: 'bulk change',
  withOthers: (number: number) => `with ${count(number, 'other', 'others')}`,
  empty: 'empty',
  changed: (field: string) => field,
  added: 'Added',
  removed: 'Removed',
  deleted: 'Lead deleted',
  restored: 'Lead restored',
  more: 'Show older changes',
  reminder: 'Reminder',
} as const

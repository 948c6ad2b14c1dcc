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
  deleted: 'Lead deleted',
  restored: 'Lead restored',
  erased: 'Lead erased',
  more: 'Show older changes',
  reminder: 'Reminder',
} as const

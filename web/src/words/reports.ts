import type { NoteKind } from '@rapport/contract/notes.values'
import { countLeads, n } from './counted.ts'

export const reports = {
  person: 'Owner',
  everyone: 'Everyone',
  nobody: 'No owner',
  wonValue: 'Won',
  wonLeads: 'Leads won',
  lostLeads: 'Leads lost',
  winRate: 'Win rate',
  titles: {
    people: 'Won by owner',
    reasons: 'Lost by reason',
    times: 'Time in stage',
    activity: 'Notes, calls and meetings',
  },
  notes: {
    people: 'Leads that moved to a Won stage and are still there',
    reasons: 'Leads that moved to a Lost stage and are still there',
    times: 'Median of the leads that left each stage',
    activity: 'By author and when they took place',
  },
  reason: 'Reason',
  noReason: 'No reason given',
  median: 'Median',
  average: 'Average',
  left: 'Leads that left',
  now: 'In it now',
  chosenDays: 'From … to …',
  from: 'First day',
  to: 'Last day',
  sinceNow: 'Median so far',
  all: 'All',
  kinds: { note: 'Notes', call: 'Calls', meeting: 'Meetings' } satisfies Record<NoteKind, string>,
  /** A length of time in days. */
  days: (days: number) => `${n.format(days)} d`,
  hours: (hours: number) => `${n.format(hours)} h`,
  written: (count: string, leads: number) => `${count} · ${countLeads(leads)}`,
  noEnds: 'No stage is of type Won or Lost.',
} as const

export const lost = {
  title: (name: string) => `Why was ${name} lost?`,
  titleOfMany: (count: number) => `Why ${count === 1 ? 'was' : 'were'} ${countLeads(count)} lost?`,
  reason: 'Reason',
  suggestions: 'Reasons',
  usual: [
    'Too expensive',
    'No budget',
    'Chose a competitor',
    'No answer',
    'Bad timing',
    'Not a fit',
  ],
  skip: 'Skip',
  save: 'Save reason',
  next: 'Continue',
} as const

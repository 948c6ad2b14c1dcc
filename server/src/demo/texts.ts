// Texts of the demo. {name}, {company} and {city} are replaced with values of the lead.
import type { NoteKind, NoteOutcome } from '@rapport/contract/notes.values'

export const roles = [
  'CEO',
  'Founder',
  'Head of Sales',
  'Head of Marketing',
  'Sales Manager',
  'Account Executive',
  'Marketing Manager',
  'Chief Technology Officer',
  'IT Manager',
  'Software Engineer',
  'Head of Operations',
  'Purchasing Manager',
  'Chief Financial Officer',
  'Controller',
  'HR Business Partner',
  'Product Manager',
  'Managing Director',
  'Office Manager',
  'Consultant',
  'Customer Success Manager',
]

export const icebreakers = [
  'Saw your talk in {city}: the part about onboarding stayed with me.',
  'Congratulations on the new office in {city}!',
  'We both know what a Monday at {company} must look like this season.',
  'Your post about hiring made the rounds in our team.',
  'A customer of ours in {city} speaks highly of {company}.',
  'I read that {company} is growing fast. How do you keep up?',
  'Your podcast episode was the best half hour of my week.',
  'We met briefly at the trade fair, by the coffee machine.',
]

export interface DemoNote {
  content: string
  /** For a call or a meeting. */
  details?: { kind: NoteKind; duration: number; outcome: NoteOutcome }
}

export const notes: DemoNote[] = [
  {
    content: 'Called {name}, left a message.',
    details: { kind: 'call', duration: 1, outcome: 'left_message' },
  },
  {
    content:
      'Good call with {name}. Wants a **proposal for 25 seats** before the end of the month.',
    details: { kind: 'call', duration: 25, outcome: 'reached' },
  },
  { content: '{name} is on leave until next week; the assistant will put us through.' },
  { content: 'Budget is decided in spring. Ask again then.' },
  { content: 'They use a spreadsheet today and hate it.' },
  {
    content:
      'Meeting in {city} went well.\n\n- security questions answered\n- pricing sent\n- next: introduce our support team',
    details: { kind: 'meeting', duration: 60, outcome: 'held' },
  },
  { content: 'Contract sent to {company}.' },
  { content: 'Not happy with the price. Offered 10% for two years.' },
  { content: '{name} asked for a reference in the same trade.' },
  { content: 'Decision is with the board of {company}.' },
  { content: 'Prefers e-mail to phone. Answers in the evening.' },
  { content: 'Sent the slides, with the roadmap.' },
]

export const replies = [
  'Done, thanks.',
  'I will take this one.',
  'Any news here?',
  'They answered: next week suits them.',
  'Please add the minutes of the call.',
  'Agreed.',
]

export const reminders = [
  'Call {name}',
  'Send the proposal to {company}',
  'Ask {name} about the budget',
  'Prepare the meeting in {city}',
  'Follow up with {company}',
  'Wish {name} a happy birthday',
]

/** Cron schedules (minute, hour, day, month, weekday) and the names of their reminders. */
export const recurrences = [
  { cron: '0 9 * * 1', name: 'Weekly check on {company}' },
  { cron: '30 8 1 * *', name: 'Monthly report for {company}' },
  { cron: '0 14 * * 5', name: 'Ask {name} how the week went' },
  { cron: '15 10 1 */3 *', name: 'Quarterly review with {company}' },
  { cron: '45 16 * * 2,4', name: 'Look at the usage of {company}' },
]

export const backgrounds = [
  'Family business in the third generation; decides slowly and stays for long.',
  'Was bought last year. The new owner wants one tool for everything.',
  'Knows our product from the last job.\nWants to see the new reports first.',
  'Works from {city}, the rest of the team is elsewhere.',
  'Very technical: sends back slides that have no numbers on them.',
  'Started small and doubled twice since.',
]

export const lostReasons = [
  'Too expensive',
  'Chose a competitor',
  'No budget',
  'No answer',
  'Bad timing',
]

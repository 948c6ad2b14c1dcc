import { n } from './counted.ts'

export const fields = {
  whenExample: 'next tue 10',
  pastExample: 'last monday',
  whenUnknown: 'Try “tomorrow 9am”, “next tue 10” or “in 3 weeks”',
  calendar: 'Calendar',
  times: 'Times of day',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  warnings: {
    email: 'This doesn’t look like an email address',
    tel: 'This doesn’t look like a phone number',
    url: 'This doesn’t look like a web address',
  },
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  yes: 'Yes',
  no: 'No',
  // Names within it keep their letters.
  find: (what: string) =>
    `Find ${what.replace(/^\p{Lu}(?=\p{Ll}*(\s|$))/u, (letter) => letter.toLowerCase())}`,
  createOption: (name: string) => `Create “${name}”`,
  nothing: 'Nothing found',
  typeMore: 'Type at least two letters',
  noValue: 'None',
  likely: (percent: number) => `${n.format(percent)}% likely`,
  notNumber: 'Enter a number.',
  notWhole: 'Enter a whole number.',
  findLead: 'Find a lead by name, company or email',
} as const

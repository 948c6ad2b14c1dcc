import { n } from './counted.ts'

export const fields = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  yes: 'Yes',
  no: 'No',
  find: (what: string) => `Find ${what.toLowerCase()}`,
  createOption: (name: string) => `Create “${name}”`,
  nothing: 'Nothing found',
  noValue: 'None',
  likely: (percent: number) => `${n.format(percent)}% likely`,
  notNumber: 'Enter a number.',
  notWhole: 'Enter a whole number.',
  findLead: 'Find a lead by name, company or email',
} as const

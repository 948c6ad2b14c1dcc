import type { Operator } from '@rapport/contract/attributes.values'
import type { FieldOperator, Period } from '@rapport/contract/leads/field-operators.values'
import { searchedInWords } from '@rapport/contract/leads/fields'
import type {
  Condition,
  ConditionKind,
  DueTime,
  emailStatuses,
  leadConditions,
  stepStatuses,
} from '@rapport/contract/leads/filter.values'
import { countLeads, n } from './counted.ts'

const groups = {
  lead: 'Lead',
  pipeline: 'Pipeline and people',
  mail: 'Email and campaigns',
  fields: 'Fields',
  combined: 'Combine conditions',
  attributes: 'Attributes',
}

const dateOperators = {
  greater_than: 'after',
  greater_or_equal: 'on or after',
  less_than: 'before',
  less_or_equal: 'on or before',
} satisfies Partial<Record<Operator, string>>

const periods = {
  today: 'today',
  yesterday: 'yesterday',
  tomorrow: 'tomorrow',
  this_week: 'this week',
  last_week: 'last week',
  next_week: 'next week',
  this_month: 'this month',
  last_month: 'last month',
  next_month: 'next month',
  this_quarter: 'this quarter',
  last_quarter: 'last quarter',
  next_quarter: 'next quarter',
  this_year: 'this year',
  last_year: 'last year',
  next_year: 'next year',
} satisfies Record<Period, string>

/** What a chip says about a condition besides its value, and what else its kind needs. */
interface ByKind extends Record<ConditionKind, object> {
  /** When true, and when false. */
  flag: { values: readonly [yes: string, no: string] }
  /** As an option of its relation, and in a chip. */
  must: { option: string; value: string }
  records: { operator: string; except: string }
  /** In a chip, where the operator follows. */
  day: { chip: string; operator: string }
}

type ConditionWords = {
  [Name in Exclude<
    Condition,
    'attributes' | 'fields' | 'none'
  >]: ByKind[(typeof leadConditions)[Name]['kind']] & {
    field: string
    /** Where to add it. Without one it comes from elsewhere, such as a link of the overview. */
    group?: keyof typeof groups
  }
}

/** Every condition of the filter, in the order of the menu. */
const conditions: ConditionWords = {
  search: { group: 'lead', field: 'Search' },
  is_company: { group: 'lead', field: 'Kind', values: ['Company', 'Person'] },
  score: { group: 'lead', field: 'Score' },
  is_contract: {
    ...{ group: 'lead', field: 'Contract status' },
    values: ['With a contract', 'Without a contract'],
  },
  is_tracked: { group: 'lead', field: 'Tracked', values: ['Tracked', 'Not tracked'] },
  ai_enabled: { group: 'lead', field: 'AI', values: ['On', 'Off'] },
  created_after: {
    ...{ field: 'Created on or after' },
    ...{ chip: 'Created', operator: dateOperators.greater_or_equal },
  },
  created_before: {
    ...{ field: 'Created before' },
    ...{ chip: 'Created', operator: dateOperators.less_than },
  },
  status: { group: 'pipeline', field: 'Status', operator: 'is any of', except: 'is none of' },
  tags: { group: 'pipeline', field: 'Tags', operator: 'has any of', except: 'has none of' },
  lists: { group: 'pipeline', field: 'List', operator: 'is any of', except: 'is none of' },
  has_list: { field: 'List', option: 'In any list', value: 'any' },
  has_no_list: { field: 'List', option: 'Not in a list', value: 'none' },
  owners: { group: 'pipeline', field: 'Owner', operator: 'is any of', except: 'is none of' },
  has_owner: { field: 'Owner', option: 'Has an owner', value: 'any' },
  has_no_owner: { field: 'Owner', option: 'Has no owner', value: 'none' },
  reminders: { group: 'pipeline', field: 'Reminder' },
  notes: { group: 'pipeline', field: 'Notes' },
  activity: { group: 'pipeline', field: 'Activity' },
  changed: { group: 'pipeline', field: 'Changed' },
  entered: { group: 'pipeline', field: 'Entered stage' },
  left: { group: 'pipeline', field: 'Left stage' },
  noted: { group: 'pipeline', field: 'Logged' },
  email_status: { group: 'mail', field: 'Email status' },
  has_icebreaker: { group: 'mail', field: 'Icebreakers', values: ['Has one', 'Has none'] },
  campaigns: { group: 'mail', field: 'Campaign', operator: 'is any of', except: 'is none of' },
  sequences_steps: { group: 'mail', field: 'Campaign steps' },
  any: { field: 'Any of' },
  operation: { field: 'Changed by' },
  duplicate_key: { field: 'In common' },
  leads: { field: 'These leads' },
  not_leads: { field: 'Excluded' },
}

export const filter = {
  add: 'Filter',
  label: 'Filters',
  find: 'Find a field',
  search: 'Search',
  searchHint: `Finds leads with every word in one of these: ${searchedInWords}`,
  noCondition: 'No value: filter ignored',
  noLead: 'No leads: matches nothing',
  oneOperation: 'one import or bulk change',
  remove: (what: string) => `Remove filter ${what}`,
  change: (what: string) => `Edit filter ${what}`,
  groups,
  conditions,
  exceptions: { field: 'Except', operator: 'those where' },
  anyOf: 'Leads that match any of these',
  except: 'Exclude leads that match all of these',
  or: 'or',
  and: 'and',
  addAlternative: 'Add alternative',
  removeAlternative: (number: number) => `Remove alternative ${number}`,
  alternative: (number: number) => `Alternative ${number}`,
  by: 'by',
  anybody: 'by anyone',
  anyKind: 'Note, call or meeting',
  is: 'is',
  some: 'any',
  emailStatus: {
    all: 'Any',
    with_email: 'Has an email',
    without_email: 'Has no email',
    verified: 'Verified: bounce score below 50',
    risky: 'Risky: bounce score of 50 or more',
    unverified: 'Not verified: no bounce score',
  } satisfies Record<(typeof emailStatuses)[number], string>,
  emailStatusShort: {
    all: 'any',
    with_email: 'present',
    without_email: 'missing',
    verified: 'verified',
    risky: 'risky',
    unverified: 'not verified',
  } satisfies Record<(typeof emailStatuses)[number], string>,
  steps: {
    is_sent: 'Sent',
    is_delivered: 'Delivered',
    is_opened: 'Opened',
    is_clicked: 'Clicked',
    is_replied: 'Replied',
    is_bounced: 'Bounced',
    is_unsubscribed: 'Unsubscribed',
  } satisfies Record<(typeof stepStatuses)[number], string>,
  scoreHint: 'Numbers and ranges: 42, 10-20, 80-, -20',
  scoreWrong: 'Enter whole numbers or ranges, such as 42, 10-20, 80- or -20.',
  operators: {
    is: 'is',
    is_not: 'is not',
    contains: 'contains',
    not_contains: 'does not contain',
    starts_with: 'starts with',
    ends_with: 'ends with',
    equals: 'is',
    not_equals: 'is not',
    greater_than: 'more than',
    greater_or_equal: 'at least',
    less_than: 'less than',
    less_or_equal: 'at most',
    on: 'on',
    before: 'before',
    after: 'after',
    between: 'between',
    in_last: 'in the last',
    more_than_ago: 'more than … ago',
    in_next: 'in the next',
    is_empty: 'is empty',
    is_not_empty: 'is not empty',
    ...periods,
  } satisfies Record<FieldOperator | Operator, string>,
  due: {
    overdue: 'overdue',
    upcoming: 'upcoming',
    any: 'at any time',
    ...periods,
  } satisfies Record<DueTime, string>,
  dueAt: 'due',
  apply: 'Apply',
  incomplete: 'Enter a value.',
  howMany: 'How many',
  unit: 'Unit',
  units: { day: 'days', week: 'weeks', month: 'months' },
  from: (field: string) => `${field} from`,
  to: (field: string) => `${field} to`,
  noneFor: (what: string) => `No ${what.toLowerCase()} in the last`,
  someIn: (what: string) => `${what} in the last`,
  since: 'since',
  noneSince: 'none since',
  range: (from: string, to: string) => `${from} and ${to}`,
  spans: {
    day: (count: number) => `${n.format(count)} ${count === 1 ? 'day' : 'days'}`,
    week: (count: number) => `${n.format(count)} ${count === 1 ? 'week' : 'weeks'}`,
    month: (count: number) => `${n.format(count)} ${count === 1 ? 'month' : 'months'}`,
  },
  ago: (span: string) => `${span} ago`,
  ahead: (span: string) => `${span} from now`,
  yes: 'yes',
  no: 'no',
  dateOperators,
  multiEquals: 'has',
  multiNotEquals: 'does not have',
  emptyToo: 'Includes leads without a value.',
  anyCurrency: 'Compares amounts in any currency, without converting them.',
  operator: 'Operator',
  value: 'Value',
  selected: (number: number) => `${n.format(number)} selected`,
  more: (number: number) => `+${n.format(number)}`,
  deleted: 'deleted record',
  live: (number: number) => `${countLeads(number)} ${number === 1 ? 'matches' : 'match'}`,
} as const

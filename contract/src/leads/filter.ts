// The lead filter as callers write it. One object everywhere: the union of the interface's two
// variants. Fields nobody knows are refused, because a misspelt condition that is ignored would
// widen a bulk change.
import { type Static, Type } from 'typebox'
import { Documented, Limited, maxRefs, OneOf } from '../shapes.ts'
import {
  emailStatuses,
  maxSearchWords,
  maxWordLength,
  operators,
  stepStatuses,
} from './filter.values.ts'

export { emailStatuses, type Operator, operators, stepStatuses } from './filter.values.ts'

const closed = { additionalProperties: false }
/** Each entry is a condition of its own in the statement, and a statement has its limits. */
const maxEntries = 100

/** A statement with more ids takes seconds, and the body with them megabytes. */
const maxLeads = 50_000

const Ids = (description: string) => Type.Optional(Limited(Type.String(), maxRefs, { description }))
const LeadIds = (description: string) =>
  Type.Optional(
    Limited(Type.String(), maxLeads, {
      description,
      instead: 'For more leads, put them into a list or give them a tag, and filter by that.',
    }),
  )
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const Day = (description: string) =>
  Type.Optional(
    Documented(Type.String({ description: `${description}, in the time zone of the workspace` }), {
      format: 'date',
    }),
  )

/** The text of a search. The handler counts its words, and words the fault. */
export const SearchText = (description: string) =>
  Type.String({
    maxLength: 1000,
    description: `${description}. At most ${maxSearchWords} different words of at most ${maxWordLength} characters.`,
  })

const AttributeCondition = Type.Object(
  {
    id: Type.String({ description: 'The attribute' }),
    operator: OneOf(operators, {
      description:
        'Every type has equals, not_equals, is_empty and is_not_empty; texts, and the address of a LOCATION, also contains, not_contains, starts_with and ends_with; numbers and dates also greater_than, greater_or_equal, less_than and less_or_equal. Several options chosen: equals means that this one is among them. not_equals and not_contains include leads without a value.',
    }),
    value: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description:
          'Read in the type of the attribute: "42", "true", "2026-01-31", the id of an option or of a lead. Only is_empty and is_not_empty go without.',
      }),
    ),
  },
  closed,
)

export const LeadFilter = Type.Object(
  {
    leads: LeadIds('These leads. An empty array selects nothing.'),
    not_leads: LeadIds('All but these leads'),
    is_company: Flag('Companies, or persons'),
    is_tracked: Flag('Tracked, or not'),
    is_contract: Flag('With a contract, or without'),
    ai_enabled: Flag('AI switched on, or off'),
    has_icebreaker: Flag('At least one of the four icebreakers is written, or none'),
    email_status: Type.Optional(
      OneOf(emailStatuses, {
        description:
          'verified: an email with a bounce score below 50; risky: 50 and above; unverified: an email without a score',
      }),
    ),
    search: Type.Optional(
      SearchText(
        'Every word occurs, anywhere, without regard to case or accents, in the names, email, company, role, phone, city, website or a profile name',
      ),
    ),
    tags: Ids('Has one of these tags'),
    status: Ids('Has one of these statuses'),
    lists: Ids('Is in one of these lists'),
    has_list: Flag('When true: is in a list'),
    has_no_list: Flag('When true: is in no list'),
    owners: Ids('Has one of these members as an owner'),
    has_owner: Flag('When true: has an owner'),
    has_no_owner: Flag('When true: has no owner'),
    campaigns: Ids('Is in one of these campaigns'),
    sequences_steps: Type.Optional(
      Type.Object(
        {
          id: Ids('The steps; any step when empty'),
          status: Type.Optional(
            Limited(OneOf(stepStatuses), maxEntries, {
              description: 'What happened to the lead with the step; anything when empty',
            }),
          ),
        },
        { ...closed, description: 'One of these steps came to one of these states' },
      ),
    ),
    score: Type.Optional(
      Limited(Type.String(), maxEntries, {
        description: 'A whole number or a range of them: "42", "10-20", "80-", "-20"',
      }),
    ),
    created_after: Day('Created on this day, or later'),
    created_before: Day('Created before this day'),
    changed: Type.Optional(
      Type.Object(
        {
          by: Ids('The members; any when empty'),
          after: Day('On this day, or later'),
        },
        {
          ...closed,
          description:
            'One of these members changed the lead, one of its notes or one of its reminders since that day, as far as the change feed is kept',
        },
      ),
    ),
    attributes: Type.Optional(
      Limited(AttributeCondition, maxEntries, {
        description: 'Conditions on custom attributes; all of them hold',
      }),
    ),
  },
  {
    ...closed,
    title: 'LeadFilter',
    description:
      'Selects leads. All conditions hold; one with several values holds when one of them fits. Without any condition it selects every lead, and an empty array is no condition, except for leads.',
  },
)

export type LeadFilter = Static<typeof LeadFilter>
export type AttributeCondition = Static<typeof AttributeCondition>

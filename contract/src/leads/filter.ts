// The lead filter as callers write it. One object everywhere: the union of the interface's two
// variants. Unknown fields are rejected, because ignoring a misspelled condition would
// widen a bulk change.
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { operators } from '../attributes.values.ts'
import { noteKinds } from '../notes.values.ts'
import { AnyObject, Documented, Limited, maxRefs, OneOf } from '../shapes.ts'
import {
  fieldOperators,
  operatorsOfKind,
  relativeDayInWords,
  relativeOperators,
  spansInWords,
} from './field-operators.values.ts'
import { leadFields } from './fields.ts'
import {
  type Condition,
  type ConditionKind,
  type ConditionOf,
  dueTimes,
  emailStatuses,
  leadConditions,
  maxConditions,
  maxFilterDepth,
  maxSearchWords,
  maxWordLength,
  stepStatuses,
} from './filter.values.ts'

export { type Operator, operators } from '../attributes.values.ts'
export { emailStatuses, stepStatuses } from './filter.values.ts'

const closed = { additionalProperties: false }
/** Each entry is a separate condition in the statement, and statements have limits. */
const maxEntries = 100

/** With more ids, the statement takes seconds and the body megabytes. */
const maxLeads = 50_000

const Day = (says: string) =>
  Documented(Type.String({ description: `${says}, in the workspace's time zone` }), {
    format: 'date',
  })
const Ids = (description: string) => Limited(Type.String(), maxRefs, { description })
const Flag = (description: string) => Type.Boolean({ description })

/** The text of a search. The handler checks the number of words. */
export const SearchText = (description: string) =>
  Type.String({
    maxLength: 1000,
    description: `${description}. At most ${maxSearchWords} different words of at most ${maxWordLength} characters.`,
  })

const AttributeCondition = Type.Object(
  {
    id: Type.String({ description: 'The attribute' }),
    operator: OneOf(operators, {
      description: `All types support equals, not_equals, is_empty and is_not_empty. Text, and the address of a LOCATION, also support contains, not_contains, starts_with and ends_with. Numbers and dates also support greater_than, greater_or_equal, less_than and less_or_equal. Dates also support ${relativeOperators.join(', ')}. For a multi-select, equals means that the option is one of those selected. not_equals and not_contains include leads without a value.`,
    }),
    value: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: `Interpreted by the type of the attribute: "42", "true", "2026-01-31", or the id of an option or lead. in_last, more_than_ago and in_next take ${spansInWords}. is_empty, is_not_empty, today and the like take no value.`,
      }),
    ),
  },
  closed,
)

const ofKind = (...kinds: (keyof typeof operatorsOfKind)[]) =>
  kinds.map((kind) => operatorsOfKind[kind].join(', ')).join('; ')

const FieldCondition = Type.Object(
  {
    // The handler reports an unknown field.
    field: Documented(Type.String({ title: 'FilterField' }), { enum: Object.keys(leadFields) }),
    operator: OneOf(fieldOperators, {
      description: `Text: ${ofKind('text')}; they ignore case. Ids and currencies: ${ofKind('uuid')}. Numbers: ${ofKind('integer')}. Times: ${ofKind('time')}. Flags: is; null counts as false. JSON: ${ofKind('json')}. is_not, not_contains and not_equals include leads without a value.`,
    }),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean | (string | number)[]>({
        type: ['string', 'number', 'boolean', 'array'],
        maxLength: 10_000,
        items: { type: ['string', 'number'] },
        maxItems: 2,
        description: `Text, a whole number or a boolean, depending on the field. For times a day such as "2026-01-31", a date-time, or ${relativeDayInWords}. between takes an array of two, both included. in_last, more_than_ago and in_next take ${spansInWords}. Days are those of the workspace's time zone. is_empty, is_not_empty, today and the like take no value.`,
      }),
    ),
  },
  closed,
)

const PastDay = (says: string) =>
  Type.String({
    description: `${says}: a day such as "2026-01-31", or ${relativeDayInWords}, in the workspace's time zone`,
  })

/** A period. Without one end, or both, it is open there. */
export const within = {
  after: Type.Optional(Day('On or after this day')),
  before: Type.Optional(Day('Before this day')),
}

/** The value of each kind of condition. */
const values = {
  leads: (description: string) =>
    Limited(Type.String(), maxLeads, {
      description,
      instead: 'For more leads, add them to a list or tag them, and filter by that.',
    }),
  flag: Flag,
  must: Flag,
  records: Ids,
  email: (description: string) => OneOf(emailStatuses, { description }),
  search: SearchText,
  day: Day,
  score: (description: string) => Limited(Type.String(), maxEntries, { description }),
  steps: (description: string) =>
    Type.Object(
      {
        id: Type.Optional(Ids('The steps; empty means any step')),
        status: Type.Optional(
          Limited(OneOf(stepStatuses), maxEntries, {
            description: 'What happened to the lead in the step; empty means anything',
          }),
        ),
      },
      { ...closed, description },
    ),
  operation: (description: string) => Type.String({ description }),
  key: (description: string) => Type.String({ maxLength: 1_000, description }),
  changed: (description: string) =>
    Type.Object(
      {
        by: Type.Optional(Ids('The members; empty means any member')),
        after: within.after,
      },
      { ...closed, description },
    ),
  stay: (description: string) =>
    Type.Object(
      { status: Type.Optional(Ids('The statuses; empty means any status')), ...within },
      { ...closed, description },
    ),
  noted: (description: string) =>
    Type.Object(
      {
        kind: Type.Optional(
          Limited(OneOf(noteKinds), maxEntries, { description: 'Empty means any kind' }),
        ),
        by: Type.Optional(Ids('Who wrote it; empty means anybody')),
        ...within,
      },
      { ...closed, description },
    ),
  attributes: (description: string) => Limited(AttributeCondition, maxEntries, { description }),
  fields: (description: string) => Limited(FieldCondition, maxConditions, { description }),
  due: (description: string) => Type.Object({ due: OneOf(dueTimes) }, { ...closed, description }),
  since: (description: string) =>
    Type.Object(
      {
        since: Type.Optional(PastDay('On or after this day')),
        none_since: Type.Optional(PastDay('Not on or after this day')),
      },
      { ...closed, minProperties: 1, description },
    ),
  // The handler checks what is in them: the schema of a filter cannot contain itself.
  filters: (description: string) =>
    Documented(
      Type.Array(AnyObject(), {
        minItems: 1,
        maxItems: maxConditions,
        description: `${description}. At most ${maxFilterDepth} deep, and with fields at most ${maxConditions} conditions in all. Each must have a condition.`,
      }),
      { items: { $ref: '#/components/schemas/LeadFilter' } },
    ),
} satisfies Record<ConditionKind, (description: string) => TSchema>

type Conditions = {
  [Name in Condition]: TOptional<ReturnType<(typeof values)[(typeof leadConditions)[Name]['kind']]>>
}

const conditions = Object.fromEntries(
  Object.entries(leadConditions).map(([name, { kind, says }]) => [
    name,
    Type.Optional(values[kind](says)),
  ]),
) as Conditions

const Conditions = Type.Object(conditions, {
  ...closed,
  title: 'LeadFilter',
  description:
    'Selects leads. All conditions must match. A condition with several values matches if any value does. An empty array is ignored, except in leads; any and none must not be empty. Without conditions, the filter selects every lead.',
})

export interface LeadFilter extends Omit<Static<typeof Conditions>, ConditionOf<'filters'>> {
  any?: LeadFilter[]
  none?: LeadFilter[]
}
export const LeadFilter = Type.Unsafe<LeadFilter>(Conditions)

export type AttributeCondition = Static<typeof AttributeCondition>
export type FieldCondition = Static<typeof FieldCondition>

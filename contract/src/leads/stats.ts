// The numbers of leads: counts and sums by group.
import { Type } from 'typebox'
import { noteKinds } from '../notes.values.ts'
import { Nullable, OneOf, Shape } from '../shapes.ts'
import { LeadFilter, within } from './filter.ts'
import type { ToldRelation } from './relations.ts'

/** What POST /leads/stats groups by, and the relation that determines a lead's groups. */
export const statGroups = {
  status: 'status',
  list: 'lists',
  owner: 'owners',
  tag: 'tags',
  /** The members who changed the lead. */
  changed_by: undefined,
  /** The week of creation: its Monday. */
  week: undefined,
  /** The month of creation, or of an attribute. */
  month: undefined,
  lost_reason: undefined,
} as const satisfies Record<string, ToldRelation | undefined>
export type StatGroup = keyof typeof statGroups

const GroupBy = OneOf(Object.keys(statGroups) as StatGroup[], { title: 'LeadStatsGroupBy' })

export const LeadStatsQuery = Shape('LeadStatsQuery', {
  filter: Type.Optional(LeadFilter),
  group_by: GroupBy,
  attribute: Type.Optional(
    Type.String({
      description:
        'With month: an attribute of type DATE. Leads are grouped by its value instead of their creation.',
    }),
  ),
})

const values = {
  value: Type.Number({ description: 'The sum of the contract values, with decimals' }),
  weighted: Type.Number({
    description: 'The sum of contract value × success rate of the lead’s status / 100',
  }),
}

const sums = {
  count: Type.Integer({ description: 'Leads' }),
  values: Type.Array(
    Shape('LeadValue', {
      currency: Nullable(Type.String({ description: 'Null for values without a currency' })),
      count: Type.Integer({ description: 'Leads with such a value' }),
      ...values,
    }),
    { description: 'One entry per currency. Leads without a contract value add none.' },
  ),
  sum: Shape('LeadSum', {
    currency: Nullable(
      Type.String({
        description:
          'That of the workspace or, if it has none, of most of these leads; null if they have none either',
      }),
    ),
    ...values,
    count: Type.Integer({ description: 'Leads whose values it contains' }),
    converted: Type.Integer({
      description: 'Leads among them whose values are in another currency, converted by /rates',
    }),
    left_out: Type.Array(
      Shape('LeadsLeftOut', {
        currency: Type.String(),
        count: Type.Integer({ description: 'Leads' }),
      }),
      { description: 'Values that it does not contain: their currencies have no rate' },
    ),
  }),
}

export const LeadStats = Shape('LeadStats', {
  group_by: GroupBy,
  groups: Type.Array(
    Shape('LeadStatsGroup', {
      key: Nullable(
        Type.String({
          description:
            'The id of the status, list, member or tag, the Monday of a week such as "2026-03-02", a month such as "2026-03", or the reason; null for leads without one',
        }),
      ),
      ...sums,
    }),
  ),
  total: Shape('LeadStatsTotal', sums),
})

/** Which leads, and in which period. */
export const HistoryQuery = Shape('HistoryQuery', {
  filter: Type.Optional(LeadFilter),
  ...within,
})

const Days = (says: string) =>
  Nullable(Type.Number({ description: `${says}, in days; null if unknown` }))

export const StageTimes = Shape('StageTimes', {
  stages: Type.Array(
    Shape('StageTime', {
      id_status: Type.String(),
      left: Type.Integer({ description: 'Leads that left the status in the period' }),
      median: Days('The median time that they spent in it'),
      average: Days('The average time that they spent in it'),
      now: Type.Integer({ description: 'Leads that have the status now' }),
      median_now: Days('The median time since they got it'),
    }),
    { description: 'In the order of the statuses. Those without such leads are omitted.' },
  ),
})

export const NoteCounts = Shape('NoteCounts', {
  counts: Type.Array(
    Shape('NoteCount', {
      id_member: Nullable(Type.String({ description: 'Who wrote them; null if unknown' })),
      kind: Nullable(OneOf(noteKinds, { description: 'Null: of all kinds together' })),
      count: Type.Integer({ description: 'Notes, calls or meetings' }),
      leads: Type.Integer({ description: 'Leads that they are about' }),
    }),
  ),
})

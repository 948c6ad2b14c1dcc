// The table of the lead filter's conditions: one line each. Plain values, for readers that must not load the
// schemas: the page.
import { type Period, periodNames } from './field-operators.values.ts'
import { searchedInWords } from './fields.ts'
import type { LeadRelation } from './relations.ts'

export const rangesInWords = '"42", "10-20", "80-" or "-20"'

interface ConditionSpec {
  /** What its value is, and so how it is written, checked, compared and edited. */
  kind: ConditionKind
  /** What it selects, for the document. */
  says: string
  /** `records`, `must`: the relation that it looks at. */
  relation?: LeadRelation
}

export type ConditionKind =
  | 'attributes'
  | 'changed'
  | 'day'
  | 'due'
  | 'email'
  | 'fields'
  /** Other filters. */
  | 'filters'
  /** Selects on true and on false. */
  | 'flag'
  /** What leads have in common that may be the same. */
  | 'key'
  | 'leads'
  /** Selects on true only. */
  | 'must'
  /** Who wrote what kind of note, and when. */
  | 'noted'
  /** The id of an operation. */
  | 'operation'
  | 'records'
  | 'score'
  | 'search'
  /** Whether something has happened since a day. */
  | 'since'
  /** A stage, and when a stay in it began or ended. */
  | 'stay'
  | 'steps'

// biome-ignore format: one line is one entry
export const leadConditions = {
  leads: { kind: 'leads', says: 'These leads. An empty array selects nothing.' },
  not_leads: { kind: 'leads', says: 'Exclude these leads' },
  is_company: { kind: 'flag', says: 'Companies or people' },
  is_tracked: { kind: 'flag', says: 'Tracked or not' },
  is_contract: { kind: 'flag', says: 'With or without a contract' },
  ai_enabled: { kind: 'flag', says: 'AI on or off' },
  has_icebreaker: { kind: 'flag', says: 'Has at least one of the four icebreakers, or none' },
  email_status: { kind: 'email', says: 'verified: an email with a bounce score below 50; risky: 50 or higher; unverified: an email without a score' },
  search: { kind: 'search', says: `Every word occurs, ignoring case and accents, somewhere in these fields: ${searchedInWords}` },
  tags: { kind: 'records', relation: 'tags', says: 'Has one of these tags' },
  status: { kind: 'records', relation: 'status', says: 'Has one of these statuses' },
  lists: { kind: 'records', relation: 'lists', says: 'Is in one of these lists' },
  has_list: { kind: 'must', relation: 'lists', says: 'If true: in at least one list' },
  has_no_list: { kind: 'must', relation: 'lists', says: 'If true: not in any list' },
  owners: { kind: 'records', relation: 'owners', says: 'Has one of these members as an owner' },
  has_owner: { kind: 'must', relation: 'owners', says: 'If true: has an owner' },
  has_no_owner: { kind: 'must', relation: 'owners', says: 'If true: has no owner' },
  campaigns: { kind: 'records', relation: 'campaigns', says: 'Is in one of these campaigns' },
  sequences_steps: { kind: 'steps', says: 'One of these steps reached one of these states' },
  score: { kind: 'score', says: `A whole number or a range: ${rangesInWords}` },
  created_after: { kind: 'day', says: 'Created on or after this day' },
  created_before: { kind: 'day', says: 'Created before this day' },
  changed: { kind: 'changed', says: 'One of these members has changed the lead, one of its notes or one of its reminders since that day, as far back as the change feed goes' },
  operation: { kind: 'operation', says: 'Created or changed by this operation: an import or a bulk change, as far back as the change feed goes' },
  duplicate_key: { kind: 'key', says: 'Has this kind and key of GET /duplicates: "phone:+493012345"' },
  entered: { kind: 'stay', says: 'Has one of these statuses, since then' },
  left: { kind: 'stay', says: 'Had one of these statuses, and lost it then' },
  noted: { kind: 'noted', says: 'Has such a note, call or meeting. The time of a call or meeting is when it took place.' },
  fields: { kind: 'fields', says: 'Conditions on fields of the lead; all must match' },
  attributes: { kind: 'attributes', says: 'Conditions on custom attributes; all must match' },
  reminders: { kind: 'due', says: 'Has a reminder that is not done and is due then' },
  notes: { kind: 'since', says: 'Whether the lead has a note that was written since that day' },
  activity: { kind: 'since', says: 'Whether somebody has worked with the lead since that day: its last_interaction_at is on or after that day, a note, call or meeting was written, or a member changed the lead, one of its notes or one of its reminders (as far back as the change feed goes). Creating or importing the lead does not count, nor does an undo or a bulk change that was undone' },
  any: { kind: 'filters', says: 'At least one of these filters selects the lead' },
  none: { kind: 'filters', says: 'None of these filters selects the lead' },
} as const satisfies Record<string, ConditionSpec> &
  Record<LeadRelation, ConditionSpec & { kind: 'records' }>

type Table = typeof leadConditions
export type Condition = keyof Table

/** The conditions of these kinds. */
export type ConditionOf<Kind extends ConditionKind> = {
  [Name in Condition]: Table[Name]['kind'] extends Kind ? Name : never
}[Condition]

/** Each word of a search is compared with every lead that has the others. */
export const maxSearchWords = 10
/** As long as an email address may be. */
export const maxWordLength = 254

/** How deep filters may be in `any` and `none` of others. */
export const maxFilterDepth = 3
/** The most entries of `fields`, and conditions inside `any` and `none`, of a whole filter. */
export const maxConditions = 50

/** When a reminder is due: before now, from now on, at any time, or within a period of the calendar. */
export const dueTimes = ['overdue', 'upcoming', 'any', ...periodNames] as const
export type DueTime = 'overdue' | 'upcoming' | 'any' | Period

export const emailStatuses = [
  'all',
  'with_email',
  'without_email',
  'verified',
  'risky',
  'unverified',
] as const

export const stepStatuses = [
  'is_sent',
  'is_delivered',
  'is_opened',
  'is_clicked',
  'is_replied',
  'is_bounced',
  'is_unsubscribed',
] as const

/** Whole numbers; without one the range is open on that side. */
export interface Range {
  from?: string
  to?: string
}

const range = /^(?:(\d{1,15})(-(\d{1,15})?)?|-(\d{1,15}))$/

/** Reads an entry of `score`. Returns undefined when it is none. */
export function readRange(text: string): Range | undefined {
  const [found, from, dash, to, below] = range.exec(text) ?? []
  if (found === undefined) return undefined
  if (below !== undefined) return { to: below }
  if (from === undefined) return undefined
  if (dash === undefined) return { from, to: from }
  return to === undefined ? { from } : { from, to }
}

// The operators of the filter's conditions on fields: what value each takes, and which kinds of fields have it.
// Plain values, for readers that must not load the schemas: the page.
import { type Period, periodNames, relativeOperators } from '../relative.values.ts'
import { type FieldKind, type LeadField, leadFields } from './fields.ts'

export * from '../relative.values.ts'

/** What an operator takes: one value, the two ends of a range, a length of time such as "14d", or nothing. */
type Takes = 'one' | 'two' | 'span' | 'nothing'

const byValue = {
  is: 'one',
  is_not: 'one',
  contains: 'one',
  not_contains: 'one',
  starts_with: 'one',
  ends_with: 'one',
  equals: 'one',
  not_equals: 'one',
  greater_than: 'one',
  greater_or_equal: 'one',
  less_than: 'one',
  less_or_equal: 'one',
  on: 'one',
  before: 'one',
  after: 'one',
  between: 'two',
  in_last: 'span',
  more_than_ago: 'span',
  in_next: 'span',
  is_empty: 'nothing',
  is_not_empty: 'nothing',
} as const satisfies Record<string, Takes>

export type FieldOperator = keyof typeof byValue | Period

export const takes: Readonly<Record<FieldOperator, Takes>> = {
  ...byValue,
  ...(Object.fromEntries(periodNames.map((name) => [name, 'nothing'])) as Record<Period, Takes>),
}
export const fieldOperators = Object.keys(takes) as FieldOperator[]

const empty = ['is_empty', 'is_not_empty'] as const
const texts = [
  ...(['is', 'is_not', 'contains', 'not_contains', 'starts_with', 'ends_with'] as const),
  ...empty,
] as const
const choices = ['is', 'is_not', ...empty] as const
const numbers = [
  ...(['equals', 'not_equals', 'greater_than', 'greater_or_equal'] as const),
  ...(['less_than', 'less_or_equal', 'between'] as const),
  ...empty,
] as const
const times = [
  ...(['on', 'before', 'after', 'between'] as const),
  ...relativeOperators,
  ...empty,
] as const

export const operatorsOfKind = {
  uuid: choices,
  text: texts,
  phone: texts,
  currency: choices,
  time: times,
  integer: numbers,
  amount: numbers,
  flag: ['is'],
  json: empty,
  contacts: texts,
} as const satisfies Record<FieldKind, readonly FieldOperator[]>

export const isLeadField = (name: string): name is LeadField => Object.hasOwn(leadFields, name)

export const operatorsOf = (field: LeadField): readonly FieldOperator[] =>
  operatorsOfKind[leadFields[field].kind]

const units = { d: 'day', w: 'week', m: 'month' } as const

/** A number of days, weeks or months. */
export interface Span {
  count: number
  unit: (typeof units)[keyof typeof units]
}

export const spansInWords = 'a number of days, weeks or months, such as "14d", "2w" or "6m"'

export const relativeDayInWords = 'a day relative to today, such as "-14d" or "+2w"'

/** Reads "14d", "2w" or "6m". Returns undefined when the text is none of these. */
export function readSpan(text: string): Span | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([dwm])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  return { count: Number(count), unit: units[unit as keyof typeof units] }
}

/** Reads a day before or after today: "-14d", "+2w". Returns undefined when the text is none. */
export function readRelativeDay(text: string): Span | undefined {
  const sign = text.startsWith('-') ? -1 : text.startsWith('+') ? 1 : 0
  const span = sign === 0 ? undefined : readSpan(text.slice(1))
  return span && { ...span, count: sign * span.count }
}

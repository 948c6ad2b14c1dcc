// The words of the lead filter as plain values, for readers that must not load the schemas: the page.
import type { AttributeType } from '../attributes.values.ts'

/** Each word of a search is compared with every lead that has the others. */
export const maxSearchWords = 10
/** As long as an email address may be. */
export const maxWordLength = 254

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

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'greater_than',
  'greater_or_equal',
  'less_than',
  'less_or_equal',
  'is_empty',
  'is_not_empty',
] as const

export type Operator = (typeof operators)[number]

/** Every attribute type has these. */
const always = ['equals', 'not_equals', 'is_empty', 'is_not_empty'] as const
const texts = [...always, 'contains', 'not_contains', 'starts_with', 'ends_with'] as const
const ordered = [
  ...always,
  'greater_than',
  'greater_or_equal',
  'less_than',
  'less_or_equal',
] as const

/** Which operators a condition on an attribute of this type may have. */
export const operatorsOfType: Record<AttributeType, readonly Operator[]> = {
  TEXT: texts,
  TEXTAREA: texts,
  EMAIL: texts,
  PHONENUMBER: texts,
  LOCATION: texts,
  NUMBER: ordered,
  CURRENCY: ordered,
  DATE: ordered,
  TIMESTAMP: ordered,
  CHECKBOX: always,
  SELECT: always,
  RELATION: always,
}

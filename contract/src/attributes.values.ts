// The table of attribute types, and the operators of conditions on them. Plain values, for readers that must not
// load the schemas: the page.
import { relativeOperators } from './relative.values.ts'

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
  ...relativeOperators,
] as const

export type Operator = (typeof operators)[number]

/** Every type has these. */
const always = ['equals', 'not_equals', 'is_empty', 'is_not_empty'] as const
const texts = [...always, 'contains', 'not_contains', 'starts_with', 'ends_with'] as const
const ordered = [
  ...always,
  ...(['greater_than', 'greater_or_equal', 'less_than', 'less_or_equal'] as const),
] as const

const moments = [...ordered, ...relativeOperators] as const

interface AttributeTypeSpec {
  /** What people call it. */
  label: string
  /** Which operators a condition on it may have. */
  operators: readonly Operator[]
  /** What an attribute of this type has in addition. */
  has?: 'options' | 'currency'
  /** Leads cannot be ordered by it. */
  isUnordered?: true
  /** A file cannot have its values as they are. */
  isUnwritten?: true
}

export const attributeTable = {
  TEXT: { label: 'text', operators: texts },
  TEXTAREA: { label: 'long text', operators: texts },
  NUMBER: { label: 'number', operators: ordered },
  EMAIL: { label: 'email', operators: texts },
  CHECKBOX: { label: 'yes or no', operators: always },
  DATE: { label: 'date', operators: moments },
  TIMESTAMP: { label: 'date and time', operators: moments },
  SELECT: { label: 'single select', operators: always, has: 'options' },
  CURRENCY: { label: 'currency', operators: ordered, has: 'currency' },
  LOCATION: { label: 'location', operators: texts, isUnwritten: true },
  PHONENUMBER: { label: 'phone', operators: texts },
  RELATION: { label: 'link to lead', operators: always, isUnordered: true, isUnwritten: true },
} as const satisfies Record<string, AttributeTypeSpec>

export type AttributeType = keyof typeof attributeTable

export const additionOf = (type: AttributeType) => (attributeTable[type] as AttributeTypeSpec).has

export const isOrdered = (type: AttributeType) =>
  !(attributeTable[type] as AttributeTypeSpec).isUnordered

export const attributeTypes = Object.keys(attributeTable) as AttributeType[]

/** The types that an import can give a new attribute. */
export const writtenTypes = attributeTypes.filter(
  (type) => !(attributeTable[type] as AttributeTypeSpec).isUnwritten,
)

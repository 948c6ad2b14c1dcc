// The types of attributes and the currencies as plain values, for readers that must not load the schemas:
// the page.

export const attributeTypes = [
  'TEXT',
  'TEXTAREA',
  'NUMBER',
  'EMAIL',
  'CHECKBOX',
  'DATE',
  'TIMESTAMP',
  'SELECT',
  'CURRENCY',
  'LOCATION',
  'PHONENUMBER',
  'RELATION',
] as const

export type AttributeType = (typeof attributeTypes)[number]

export const currencies = [
  'USD',
  'EUR',
  'JPY',
  'GBP',
  'AUD',
  'CAD',
  'CHF',
  'CNY',
  'HKD',
  'NZD',
  'INR',
  'PLN',
] as const

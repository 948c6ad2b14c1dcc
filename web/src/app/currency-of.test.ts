import { expect, test } from 'vitest'
import { currencyOf } from './currency-of.ts'

test.each([
  ['de-CH', 'CHF'],
  ['de', 'EUR'],
  ['en-GB', 'GBP'],
  ['en', 'USD'],
  ['eo', 'USD'],
  ['C', 'USD'],
  ['', 'USD'],
])('the currency of %j is %s', (language, currency) => {
  expect(currencyOf(language)).toBe(currency)
})

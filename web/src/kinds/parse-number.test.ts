import { expect, test } from 'vitest'
import { parseNumber, readAmount, readPrice } from './parse-number.ts'

test.each([
  ['$38,145', 38_145, 'USD'],
  ['37.9k', 37_900, 'EUR'],
  ['1.2 M', 1_200_000, 'EUR'],
  ['€1.200,50', 1_200.5, 'EUR'],
  ['€1.200', 1_200, 'EUR'],
  ['1 200', 1_200, 'EUR'],
  ['1,250.50', 1_250.5, 'EUR'],
  ['(1,250)', -1_250, 'EUR'],
  ['1200.50 chf', 1_200.5, 'CHF'],
  ['CHF 1’200', 1_200, 'CHF'],
])('%s is an amount', (text, contract_amount, contract_currency) => {
  expect(readPrice(text, 'EUR')).toEqual({ contract_amount, contract_currency })
})

test('an amount of a condition has no currency, which it would not ask for', () => {
  expect(readAmount('10k')).toBe(10_000)
  expect(readAmount('€10,000')).toBeUndefined()
  expect(readAmount('10,000 eur')).toBeUndefined()
})

test('a sign of several currencies is that of the chosen one', () => {
  expect(readPrice('$5', 'CAD')).toEqual({ contract_amount: 5, contract_currency: 'CAD' })
  expect(readPrice('$5', '')).toEqual({ contract_amount: 5, contract_currency: 'USD' })
})

test.each([
  ['about 5', 'Enter an amount such as 1,250.50.'],
  ['1,2,3', 'Enter an amount such as 1,250.50.'],
  ['5 XYZ', 'XYZ is not a currency.'],
  ['1.2345', 'Enter up to 2 decimals and 15 digits.'],
  ['1.5 JPY', 'JPY has no decimals.'],
])('%s is refused in words', (text, fault) => {
  expect(readPrice(text, 'EUR')).toEqual({ fault })
})

test('a number has no currency, an attribute for money only its own', () => {
  const attribute = (currency: string) => ({ attribute: { currency } }) as never
  expect(parseNumber('12k', {})).toEqual({ value: 12_000 })
  expect(parseNumber('$12', {})).toEqual({ fault: 'Enter a number.' })
  expect(parseNumber('€1.200,50', attribute('EUR'))).toEqual({ value: 1_200.5 })
  expect(parseNumber('€1', attribute('USD'))).toEqual({ fault: 'Enter a number.' })
})

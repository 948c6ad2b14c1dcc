import { expect, test } from 'vitest'
import type { Worth } from '../../pipeline/stats.ts'
import { formatSum, sumText, withStar } from './sum-text.ts'

const plain = (value: number, currency: string | null) => `${currency ?? ''}${value}`
const inCurrency = (currency: string, value: number) => ({
  ...{ currency, value, weighted: value / 2, count: 1 },
})
const sum = { currency: 'USD', value: 0, weighted: 0, count: 0, converted: 0, left_out: [] }

test('a sum says what it leaves out, and is not nothing if it leaves out everything', () => {
  const francs = inCurrency('CHF', 500)
  const left_out = [{ currency: 'CHF', count: 1 }]
  const all: Worth = {
    values: [inCurrency('USD', 70), francs],
    sum: { ...sum, value: 70, weighted: 35, count: 1, left_out },
  }
  expect(withStar(sumText(all, 'value', plain), all.sum)).toBe('USD70*')
  expect(sumText(all, 'weighted', plain)).toBe('USD35')
  const one = { values: [francs], sum: { ...sum, left_out } }
  expect(withStar(sumText(one, 'value', plain), one.sum)).toBe('CHF500')
  const two = { values: [francs, inCurrency('SEK', 40)], sum: { ...sum, left_out } }
  expect(sumText(two, 'weighted', plain)).toBe('CHF250 + SEK20')
  const three = { ...two, values: [...two.values, { ...inCurrency('PLN', 9), count: 7 }] }
  expect(sumText(three, 'value', plain)).toBe('PLN9 + 2 more')
  expect(sumText(three, 'value', plain, 3)).toBe('PLN9 + CHF500 + SEK40')
  expect(sumText({ values: [], sum }, 'value', plain)).toBe('USD0')
})

test('without a currency there are at most two decimals', () => {
  expect(formatSum(0.125, null)).not.toContain('5')
})

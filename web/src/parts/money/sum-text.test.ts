import { expect, test } from 'vitest'
import type { Total } from '../../pipeline/stats.ts'
import { formatSum, sumText } from './sum-text.ts'

const plain = (value: number, currency: string | null) => `${currency ?? ''}${value}`
const inCurrency = (currency: string, value: number) => ({
  ...{ currency, value, weighted: value / 2, count: 1 },
})
const sum = { currency: 'USD', value: 0, weighted: 0, count: 0, converted: 0, left_out: [] }

test('a sum says what it leaves out, and is not nothing if it leaves out everything', () => {
  const francs = inCurrency('CHF', 500)
  const left_out = [{ currency: 'CHF', count: 1 }]
  const all: Pick<Total, 'values' | 'sum'> = {
    values: [inCurrency('USD', 70), francs],
    sum: { ...sum, value: 70, weighted: 35, count: 1, left_out },
  }
  expect(sumText(all, 'value', plain)).toBe('USD70*')
  expect(sumText(all, 'weighted', plain)).toBe('USD35')
  expect(sumText({ values: [francs], sum: { ...sum, left_out } }, 'value', plain)).toBe('CHF500')
  const two = { values: [francs, inCurrency('SEK', 40)], sum: { ...sum, left_out } }
  expect(sumText(two, 'weighted', plain)).toBe('CHF250 + SEK20')
  expect(sumText({ values: [], sum }, 'value', plain)).toBe('USD0')
})

test('without a currency there are at most two decimals', () => {
  expect(formatSum(0.125, null)).not.toContain('5')
})

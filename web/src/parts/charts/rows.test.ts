import { expect, test } from 'vitest'
import { moneyTexts } from './rows.ts'

test('a sum that leaves something out has a star, exactly and at its bar', () => {
  const sum = { currency: 'USD', value: 70, weighted: 35, count: 1, converted: 0 }
  const values = [{ currency: 'USD', value: 70, weighted: 35, count: 1 }]
  const starsOf = (left_out: { currency: string; count: number }[]) => {
    const { text, shortText } = moneyTexts({ values, sum: { ...sum, left_out } })
    return [text, shortText].map((one) => one.endsWith('*'))
  }
  expect(starsOf([])).toEqual([false, false])
  expect(starsOf([{ currency: 'CHF', count: 1 }])).toEqual([true, true])
})

import { expect, test } from 'vitest'
import { dialed, formatAgo, formatShortMoney } from './format.ts'

test.each([
  ['2026-11-20T09:00', 'in 2 days'],
  ['2026-11-19T23:00', 'tomorrow'],
  ['2026-11-19T09:00', 'in 15 hours'],
  ['2026-11-17T09:00', 'yesterday'],
  ['2026-11-16T23:00', '2 days ago'],
  ['2026-11-30T09:00', 'next week'],
])('%s is %s', (time, said) => {
  expect(formatAgo(time, Date.parse('2026-11-18T18:00'))).toBe(said)
})

test.each([
  ['+49 (0)30 / 1234-10', '+4930123410'],
  ['tel: +33 1 23', '+33123'],
  ['0049 (0)30 1', '0049301'],
  ['(030) 12 34', '0301234'],
])('%s is dialed as %s', (phone, number) => {
  expect(dialed(phone)).toBe(number)
})

test.each([
  [60.8, '€61'],
  [-100.8, '-€101'],
  [999.6, '€1K'],
  [34_400, '€34.4K'],
  [2_900_000, '€2.9M'],
])('%s euros are %s where there is little room', (value, said) => {
  expect(formatShortMoney(value, 'EUR')).toBe(said)
})

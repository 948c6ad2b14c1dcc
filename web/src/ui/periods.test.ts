import { expect, test } from 'vitest'
import { addDays, addMonths, mondayOf, today } from './periods.ts'

test('days, weeks and months go over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(addMonths('2026-11', 2)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
})

test.each([
  ['2026-03-02', '2026-03-02'],
  ['2026-03-08', '2026-03-02'],
  ['2026-01-01', '2025-12-29'],
])('the Monday of %s is %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday)
})

test('the day depends on the time zone', () => {
  const now = new Date('2026-03-01T23:30:00Z')
  expect(today('UTC', now)).toBe('2026-03-01')
  expect(today('Europe/Berlin', now)).toBe('2026-03-02')
})

import { expect, test } from 'vitest'
import { addDays, addMonths, daysOf, mondayOf, today } from './periods.ts'

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

test.each([
  ['today', '2026-11-18', '2026-11-19'],
  ['last_week', '2026-11-09', '2026-11-16'],
  ['this_month', '2026-11-01', '2026-12-01'],
  ['this_quarter', '2026-10-01', '2027-01-01'],
  ['last_quarter', '2026-07-01', '2026-10-01'],
  ['last_year', '2025-01-01', '2026-01-01'],
] as const)('%s goes from %s to %s', (period, after, before) => {
  expect(daysOf(period, '2026-11-18')).toEqual({ after, before })
})

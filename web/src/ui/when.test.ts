import { expect, test } from 'vitest'
import { localeOf } from '../words/locale.ts'
import { parseWhen } from './when.ts'
import { fieldsOf } from './zone.ts'

// A Wednesday.
const now = new Date(2026, 10, 18, 15, 20, 30)
const read = (text: string, dayFirst = true) => {
  const found = parseWhen(text, { now, dayFirst })
  return found && fieldsOf(found)
}

test.each([
  ['tomorrow 9am', '2026-11-19T09:00'],
  ['Tomorrow', '2026-11-19T09:00'],
  ['next tue 10', '2026-11-24T10:00'],
  ['tue', '2026-11-24T09:00'],
  ['fri 3', '2026-11-20T15:00'],
  ['wednesday', '2026-11-25T09:00'],
  ['next thursday at 14:30', '2026-11-26T14:30'],
  ['in 3 weeks', '2026-12-09T09:00'],
  ['in 3w', '2026-12-09T09:00'],
  ['in a month', '2026-12-18T09:00'],
  ['in 2 hours', '2026-11-18T17:20'],
  ['in 20 min', '2026-11-18T15:40'],
  ['2 days ago', '2026-11-16T09:00'],
  ['today 17:30', '2026-11-18T17:30'],
  ['5pm', '2026-11-18T17:00'],
  ['9:15', '2026-11-19T09:15'],
  ['noon', '2026-11-19T12:00'],
  ['next week', '2026-11-23T09:00'],
  ['end of month', '2026-11-30T09:00'],
  ['24 Dec', '2026-12-24T09:00'],
  ['Dec 24, 2027 6 pm', '2027-12-24T18:00'],
  ['1st March', '2027-03-01T09:00'],
  ['24.12.', '2026-12-24T09:00'],
  ['24/12/2026 8:05', '2026-12-24T08:05'],
  ['2026-12-24', '2026-12-24T09:00'],
  ['2026-12-24T18:00', '2026-12-24T18:00'],
  ['tonight', '2026-11-18T18:00'],
  ['tonight 8pm', '2026-11-18T20:00'],
  ['this evening', '2026-11-18T18:00'],
  ['tomorrow morning', '2026-11-19T09:00'],
  ['friday afternoon', '2026-11-20T14:00'],
  ['day after tomorrow 10:30', '2026-11-20T10:30'],
  ['in 3 weeks at 10', '2026-12-09T10:00'],
  ['friday at 3', '2026-11-20T15:00'],
  ['weds', '2026-11-25T09:00'],
  ['Wed 25 Nov', '2026-11-25T09:00'],
  ['Wednesday, November 25, 2026 14:00', '2026-11-25T14:00'],
])('%s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  ['nov 1', '2026-11-01T09:00'],
  ['24 Dec', '2025-12-24T09:00'],
  ['18.11.', '2026-11-18T09:00'],
  ['mon', '2026-11-16T09:00'],
  ['wednesday', '2026-11-18T09:00'],
  ['thu', '2026-11-12T09:00'],
  ['5pm', '2026-11-17T17:00'],
  ['9:15', '2026-11-18T09:15'],
  ['24/12/2026', '2026-12-24T09:00'],
  ['tomorrow', '2026-11-19T09:00'],
])('%s, of what has been', (text, expected) => {
  const found = parseWhen(text, { now, dayFirst: true, isPast: true })
  expect(found && fieldsOf(found)).toBe(expected)
})

test('the order of day and month is that of the region, and what makes no sense is not understood', () => {
  expect(read('4/5/2027')).toBe('2027-05-04T09:00')
  expect(read('4/5/2027', false)).toBe('2027-04-05T09:00')
  const none = ['', 'soon', '31 feb', '25:00', 'in 3', 'tomorrow whenever', '12', '99/99/2026']
  for (const text of none) {
    expect(read(text), text).toBeUndefined()
  }
})

test.each([
  'US',
  'CA',
  'GB',
  'DE',
  'CH',
  'DK',
  'FI',
  'SE',
  'NL',
  'IN',
  'AU',
  'ZA',
  'IL',
  'SG',
  'BE',
])('what is shown in %s can be typed', (region) => {
  const date = new Date(2027, 8, 5, 14, 30)
  const shown = new Intl.DateTimeFormat(`en-${region}`, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(date)
  expect(read(shown), shown).toBe('2027-09-05T14:30')
})

test('words are English, dates and numbers those of the region', () => {
  expect([localeOf('de'), localeOf('de-CH'), localeOf('en-GB'), localeOf('?')]).toEqual([
    'en-DE-u-hc-h23',
    'en-CH-u-hc-h23',
    'en-GB-u-hc-h23',
    'en',
  ])
})

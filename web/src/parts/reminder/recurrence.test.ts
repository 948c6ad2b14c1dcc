import { expect, test } from 'vitest'
import { cronOf, describeCron, scheduleFrom } from './recurrence.ts'

const first = new Date(2026, 2, 2, 9)
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

test.each([
  ['', 'never'],
  ['30 9 * * *', 'daily'],
  ['30 9 * * 1-5', 'workdays'],
  ['30 9 * * 1,4', 'weekly'],
  ['0 8 15 * *', 'monthly'],
  ['0 8 L * *', 'monthly'],
  ['*/5 * * * *', 'cron'],
  ['0 9 1 * 1', 'cron'],
])('%j is offered as %s, and written back unchanged', (cron, repeat) => {
  const schedule = scheduleFrom(cron, first)
  expect(schedule.repeat).toBe(repeat)
  expect(cronOf(schedule)).toBe(cron)
})

test('a new schedule starts with the weekday and the day of its first time', () => {
  expect(scheduleFrom('', first)).toMatchObject({ weekdays: [1], day: '2' })
  expect(scheduleFrom('', new Date(2026, 0, 31))).toMatchObject({ day: 'L' })
})

test.each([
  ['0 9 * * MON,THU', /^every Monday and Thursday at 0?9:00/],
  ['0 9 * * 7', /^every Sunday at 0?9:00/],
  ['0 9 * * 0-6', /^every day at 0?9:00/],
  ['0 9 l * *', /^on the last day of every month at 0?9:00/],
  ['15 10 1 */3 *', /^every 3 months on day 1 at 10:15/],
  ['15 10 1 */5 *', /^repeats: /],
  ['0 9 * * 5-1', /^repeats: 0 9 \* \* 5-1$/],
])('%j in words', (cron, sentence) => {
  expect(describeCron(cron, zone)).toMatch(sentence)
})

test('another time zone than the browser’s is named', () => {
  const other = zone === 'Asia/Tokyo' ? 'Asia/Seoul' : 'Asia/Tokyo'
  expect(describeCron('0 9 * * *', other)).toContain(`(${other})`)
})

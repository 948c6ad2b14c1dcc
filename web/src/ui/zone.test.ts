import { afterEach, expect, test } from 'vitest'
import { formatClock } from './format.ts'
import { readWhen } from './when-text.ts'
import { localTime, setZone, timeAt } from './zone.ts'

afterEach(() => setZone(null))

test.each([
  ['Asia/Tokyo', '2026-07-01T09:00', '2026-07-01T00:00:00.000Z'],
  ['America/New_York', '2026-01-15T23:30', '2026-01-16T04:30:00.000Z'],
  // The day after the clocks have changed.
  ['Europe/Berlin', '2026-03-29T09:00', '2026-03-29T07:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T09:00', '2026-10-25T08:00:00.000Z'],
])('in %s, %s is %s', (zone, local, time) => {
  setZone(zone)
  expect(timeAt(local).toISOString()).toBe(time)
  expect(localTime(new Date(time))).toBe(local)
})

test('times are shown and typed in the zone of the person', () => {
  setZone('Pacific/Kiritimati')
  const now = new Date()
  const [there, shown] = [localTime(now), formatClock(now)]
  expect(there.slice(0, 13)).toBe(
    new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 13),
  )
  expect(shown).toContain(there.slice(14))
  expect(readWhen('today 9:00', 'time')).toBe(`${there.slice(0, 10)}T09:00`)
})

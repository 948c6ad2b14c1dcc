// Days, weeks and months as texts such as "2026-03-02" and "2026-03", in the time zone of the workspace.
import { type Period, periods } from '@rapport/contract/leads/field-operators.values'
import { locale } from '../words/locale.ts'

/** The day that it is now in a time zone. */
export function today(zone: string, now = new Date()): string {
  // Swedish dates are written as ISO 8601 has them.
  return new Intl.DateTimeFormat('sv', { timeZone: zone }).format(now)
}

export function addDays(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`)
  time.setUTCDate(time.getUTCDate() + days)
  return time.toISOString().slice(0, 10)
}

export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

const monthsIn = { month: 1, quarter: 3, year: 12 }

/** The first day of a period, and the first one after it. */
export function daysOf(period: Period, now: string): { after: string; before: string } {
  const [unit, later] = periods[period]
  if (unit === 'day' || unit === 'week') {
    const length = unit === 'week' ? 7 : 1
    const after = addDays(unit === 'week' ? mondayOf(now) : now, later * length)
    return { after, before: addDays(after, length) }
  }
  const length = monthsIn[unit]
  const month = now.slice(0, 7)
  const first = addMonths(month, later * length - ((Number(month.slice(5)) - 1) % length))
  return { after: `${first}-01`, before: `${addMonths(first, length)}-01` }
}

const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
const longMonth = new Intl.DateTimeFormat(locale, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const shortDay = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

const start = (month: string) => new Date(`${month}-01T00:00:00Z`)
export const formatMonth = (month: string) => longMonth.format(start(month))
export const formatShortMonth = (month: string) => shortMonth.format(start(month))
export const formatShortDay = (day: string) => shortDay.format(new Date(`${day}T00:00:00Z`))

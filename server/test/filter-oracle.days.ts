// The days and periods of a filter, as the oracle understands them.

/** What the days of a filter depend on. */
export interface Clock {
  now: Date
  /** The time zone of the workspace. */
  zone: string
}

/** The day of a time in a time zone: "2026-01-31". */
export function dayOf(time: unknown, timeZone: string): string {
  const key = `${time} ${timeZone}`
  const day =
    days.get(key) ?? new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(String(time)))
  days.set(key, day)
  return day
}

/** What has been computed, which takes time. */
const days = new Map<string, string>()

const dayMs = 86_400_000
const toDay = (time: Date) => time.toISOString().slice(0, 10)

/** A day so many days, weeks or months later. A month ends before the 31st does. */
function later(day: string, count: number, unit: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (unit === 'd') return toDay(new Date(date.getTime() + count * dayMs))
  if (unit === 'w') return later(day, 7 * count, 'd')
  const months = date.getUTCMonth() + count
  const last = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate()
  return toDay(new Date(Date.UTC(date.getUTCFullYear(), months, Math.min(date.getUTCDate(), last))))
}

/** A day as a filter writes it. */
export function dayIn(text: string, { now, zone }: Clock): string {
  const [, count, unit = ''] = /^([+-]\d+)([dwm])$/.exec(text) ?? []
  return count === undefined ? text : later(dayOf(now.toISOString(), zone), Number(count), unit)
}

/** The first day of a period, and the first one after it. */
export function periodDays(name: string, { now, zone }: Clock): [string, string] {
  const today = dayOf(now.toISOString(), zone)
  if (name === 'today') return [today, later(today, 1, 'd')]
  if (name === 'tomorrow') return [later(today, 1, 'd'), later(today, 2, 'd')]
  if (name === 'yesterday') return [later(today, -1, 'd'), today]
  const [which = '', unit = ''] = name.split('_')
  const turn = { last: -1, this: 0, next: 1 }[which] ?? 0
  if (unit === 'week') {
    const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
    const monday = later(today, turn * 7 - weekday, 'd')
    return [monday, later(monday, 7, 'd')]
  }
  const months = { month: 1, quarter: 3, year: 12 }[unit] ?? 0
  const month = Number(today.slice(5, 7)) - 1
  const first = later(`${today.slice(0, 7)}-01`, turn * months - (month % months), 'm')
  return [first, later(first, months, 'm')]
}

export function isWithin(time: unknown, [first, end]: [string, string], { zone }: Clock): boolean {
  const day = dayOf(time, zone)
  return day >= first && day < end
}

export function isDue(date: string, due: string, known: Clock): boolean {
  if (due === 'any') return true
  if (due === 'overdue') return Date.parse(date) < known.now.getTime()
  if (due === 'upcoming') return Date.parse(date) >= known.now.getTime()
  return isWithin(date, periodDays(due, known), known)
}

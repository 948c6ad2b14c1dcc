// Recurring reminders in words, both ways: the schedules that the page offers become cron, and cron becomes
// a sentence. The service reads cron in the time zone of the workspace.

import { formatTimeOfDay } from '../../ui/format.ts'
import { wallClock, zone } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { locale } from '../../words/locale.ts'

export const repeats = ['never', 'daily', 'workdays', 'weekly', 'monthly', 'cron'] as const
export type Repeat = (typeof repeats)[number]

export interface Schedule {
  repeat: Repeat
  /** "09:00" */
  time: string
  /** 0 is Sunday. */
  weekdays: readonly number[]
  /** A day of the month, or L for the last. */
  day: string
  cron: string
}

/** Every month has these days. */
const commonDays = 28
export const daysOfMonth = [...Array.from({ length: commonDays }, (_, at) => String(at + 1)), 'L']
const workdays = [1, 2, 3, 4, 5]
const everyDay = [0, 1, 2, 3, 4, 5, 6]
/** As weeks are written in most places: Monday first. */
export const weekOrder = [1, 2, 3, 4, 5, 6, 0]

const nameOfDay = (style: 'long' | 'short') => {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
  // 4 January 1970 was a Sunday.
  return (day: number) => format.format(new Date(Date.UTC(1970, 0, 4 + day)))
}
export const longDay = nameOfDay('long')
export const shortDay = nameOfDay('short')
const listed = new Intl.ListFormat(locale, { type: 'conjunction' })

/** What the form begins with: the time, the weekday and the day of a first time. */
export function scheduleFrom(cron: string, time: Date): Schedule {
  const first = wallClock(time)
  const start: Schedule = {
    repeat: 'never',
    time: '09:00',
    weekdays: [first.getDay()],
    day: first.getDate() > commonDays ? 'L' : String(first.getDate()),
    cron,
  }
  return cron === '' ? start : { ...start, ...(readCron(cron) ?? { repeat: 'cron' }) }
}

export function cronOf({ repeat, time, weekdays, day, cron }: Schedule): string {
  const [hour, minute] = time.split(':').map(Number)
  const at = `${minute} ${hour}`
  switch (repeat) {
    case 'never':
      return ''
    case 'daily':
      return `${at} * * *`
    case 'workdays':
      return `${at} * * 1-5`
    case 'weekly':
      return `${at} * * ${[...weekdays].sort().join(',')}`
    case 'monthly':
      return `${at} ${day} * *`
    case 'cron':
      return cron.trim()
  }
}

type Read = Pick<Schedule, 'repeat' | 'time'> & Partial<Pick<Schedule, 'weekdays' | 'day'>>

/** Undefined for schedules that have no words here. */
function readCron(cron: string): Read | undefined {
  const match = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}|L) \* (\S+)$/i.exec(cron.trim())
  if (!match) return undefined
  const [, minute = '', hour = '', day = '', week = ''] = match
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const weekdays = readWeekdays(week)
  if (!weekdays) return undefined
  const isEveryDay = weekdays.length === everyDay.length
  if (day !== '*')
    return isEveryDay ? { repeat: 'monthly', time, day: day.toUpperCase() } : undefined
  if (isEveryDay) return { repeat: 'daily', time }
  if (String(weekdays) === String(workdays)) return { repeat: 'workdays', time }
  return { repeat: 'weekly', time, weekdays }
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** "1-5", "MON,THU", "*": the days in order, 0 is Sunday. */
function readWeekdays(text: string): number[] | undefined {
  if (text === '*') return everyDay
  const days = new Set<number>()
  for (const part of text.toUpperCase().split(',')) {
    const [from = -1, to = from] = part
      .split('-')
      .map((day) => (/^[0-7]$/.test(day) ? Number(day) : dayNames.indexOf(day)))
    if (from < 0 || to < from) return undefined
    for (let day = from; day <= to; day++) days.add(day % 7)
  }
  return [...days].sort()
}

// In months that are equally far from each other.
const everyFewMonths = /^(\d+ \d+ (?:\d+|L)) \*\/([2346]) \*$/i

/** "every Monday and Thursday at 9:00 AM". Another time zone than that of the person is named. */
export function describeCron(cron: string, timeZone: string): string {
  const step = everyFewMonths.exec(cron.trim())
  const read = readCron(step ? `${step[1]} * *` : cron)
  const { reminders: r } = words
  if (!read) return r.byCron(cron)
  const { repeat, weekdays = [], day = '' } = read
  const [hour = 0, minute = 0] = read.time.split(':').map(Number)
  const clock = formatTimeOfDay(hour, minute)
  const time = timeZone === zone() ? clock : r.inZone(clock, timeZone)
  if (repeat === 'daily') return r.everyDay(time)
  if (repeat === 'workdays') return r.everyWorkday(time)
  if (repeat === 'monthly') {
    const months = step?.[2]
    return day === 'L' ? r.everyLastDay(time, months) : r.everyMonth(day, time, months)
  }
  const names = weekOrder.filter((day) => weekdays.includes(day)).map(longDay)
  return r.everyWeek(listed.format(names), time)
}

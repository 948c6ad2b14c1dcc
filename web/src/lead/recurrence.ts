// Recurring reminders in words, and the schedules that the page offers.
import { words } from '../words.ts'

export const repeats = ['never', 'daily', 'workdays', 'weekly', 'monthly'] as const
export type Repeat = (typeof repeats)[number]

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' })

/** The five fields of cron, for a schedule that begins at this time of the workspace. */
export function cronOf(repeat: Repeat, time: Date, timeZone: string): string | null {
  if (repeat === 'never') return null
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: 'numeric',
      minute: 'numeric',
      day: 'numeric',
      weekday: 'short',
      hourCycle: 'h23',
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const at = `${Number(parts.minute)} ${Number(parts.hour)}`
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.weekday ?? '')
  return {
    daily: `${at} * * *`,
    workdays: `${at} * * 1-5`,
    weekly: `${at} * * ${day}`,
    monthly: `${at} ${Number(parts.day)} * *`,
  }[repeat]
}

export function repeatOf(cron: string): Repeat | undefined {
  const match = /^\d+ \d+ (\*|\d+) \* (\*|\d|1-5)$/.exec(cron)
  if (cron === '') return 'never'
  if (!match) return undefined
  const [, day, week] = match
  if (day !== '*') return week === '*' ? 'monthly' : undefined
  return week === '*' ? 'daily' : week === '1-5' ? 'workdays' : 'weekly'
}

/** "every Monday at 9:00", in the time zone of the workspace. */
export function describeCron(cron: string): string {
  const [minute = '', hour = '', day = '', , week = ''] = cron.split(' ')
  const time = `${hour}:${minute.padStart(2, '0')}`
  const { reminders } = words
  switch (repeatOf(cron)) {
    case 'daily':
      return reminders.everyDay(time)
    case 'workdays':
      return reminders.everyWorkday(time)
    case 'weekly':
      // 4 January 1970 was a Sunday.
      return reminders.everyWeek(
        weekday.format(new Date(Date.UTC(1970, 0, 4 + (Number(week) % 7)))),
        time,
      )
    case 'monthly':
      return reminders.everyMonth(day, time)
    default:
      return reminders.byCron(cron)
  }
}

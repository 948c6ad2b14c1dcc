// The reminders of a member as a calendar file.
import { nextOccurrence } from '../resources/reminders/reminders.recurrence.ts'
import { clockAt } from '../time-zone.ts'
import type { CalendarReminder } from './calendar.sql.ts'
import { clockText, component, type Property, text, utc, written } from './ics.ts'
import { ruleOf } from './rrule.ts'
import { zoneLines } from './zone.ts'

export interface Calendar {
  name: string
  /** That of the workspace, in which reminders recur. */
  zone: string
  /** The address of the page. Undefined: not known. */
  page: string | undefined
  reminders: CalendarReminder[]
  now: Date
}

const longestName = 500

export function calendarFile({ name, zone, page, reminders, now }: Calendar): string {
  const events = reminders.flatMap((reminder) => eventsOf(reminder, zone, page))
  const isZoned = events.some((lines) => lines.some((line) => line.startsWith('DTSTART;TZID')))
  return written(
    component(
      'VCALENDAR',
      [
        ['VERSION', '2.0'],
        ['PRODID', '-//Rapport//Reminders//EN'],
        ['METHOD', 'PUBLISH'],
        ['NAME', text(name)],
        ['X-WR-CALNAME', text(name)],
        ['REFRESH-INTERVAL;VALUE=DURATION', 'PT15M'],
        ['X-PUBLISHED-TTL', 'PT15M'],
      ],
      ...(isZoned ? [zoneLines(zone, now)] : []),
      ...events,
    ),
  )
}

/** One, or two where a reminder that recurs was moved to another time for once. */
function eventsOf(reminder: CalendarReminder, zone: string, page: string | undefined): string[][] {
  const { id, date, cron } = reminder
  const rule = cron ? ruleOf(cron) : undefined
  const time = Date.parse(date)
  if (!rule) return [event(id, [['DTSTART', utc(time)]])]
  const first = nextOccurrence(cron, zone, new Date(time - 1_000))?.getTime()
  const series = (at: number): Property[] => [
    zone === 'UTC'
      ? ['DTSTART', utc(at)]
      : [`DTSTART;TZID=${zone}`, clockText(new Date(clockAt(at, zone)).toISOString())],
    ['RRULE', rule],
  ]
  if (first === time) return [event(id, series(time))]
  const moved = event(`${id}-moved`, [['DTSTART', utc(time)]])
  return first === undefined ? [moved] : [moved, event(id, series(first))]

  function event(uid: string, times: Property[]): string[] {
    const { name, updated_at, id_lead } = reminder
    const path = id_lead ? `/leads?lead=${id_lead}` : '/reminders'
    return component('VEVENT', [
      ['UID', `${uid}@rapport`],
      ['DTSTAMP', utc(updated_at)],
      ['LAST-MODIFIED', utc(updated_at)],
      ...times,
      ['DURATION', 'PT15M'],
      ['SUMMARY', text(name.slice(0, longestName))],
      ...(page ? ([['URL', page + path]] as Property[]) : []),
      // It does not make anybody busy.
      ['TRANSP', 'TRANSPARENT'],
    ])
  }
}
